/** A text without `user:password@` in its http addresses. Also for JSON, which stays valid. */
export const withoutCredentials = (text: string) => text.replace(/(https?:[/\\]*)[^\s/\\?#"]*@/gi, '$1')
