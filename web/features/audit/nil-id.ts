/** Stands for the instance where an entry names an organisation. */
export const nilId = '00000000-0000-0000-0000-000000000000'
