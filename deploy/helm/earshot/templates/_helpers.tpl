{{- define "earshot.labels" -}}
app.kubernetes.io/name: earshot
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Of one kind of pod: web (which serves requests, alone or together with the worker) or worker. */}}
{{- define "earshot.selector" -}}
app.kubernetes.io/name: earshot
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* A pod. Takes root, component (web or worker), services, resources, and data: whether /data is a claim of the pod. */}}
{{- define "earshot.pod" -}}
metadata:
  labels:
    {{- include "earshot.selector" . | nindent 4 }}
spec:
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  automountServiceAccountToken: false
  # Earshot takes up to 15 seconds, PostgreSQL some more.
  terminationGracePeriodSeconds: 60
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- if eq .component "web" }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "earshot.selector" . | nindent 10 }}
  {{- end }}
  containers:
    - name: earshot
      image: {{ printf "%s:%s" .root.Values.image.repository (default .root.Chart.AppVersion .root.Values.image.tag) | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      envFrom:
        - secretRef:
            name: {{ .root.Values.existingSecret }}
      env:
        - name: APP_URL
          value: {{ .root.Values.appUrl | quote }}
        - name: SERVICES
          value: {{ .services | quote }}
        {{- range $name, $value := .root.Values.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      {{- if eq .component "web" }}
      ports:
        - name: http
          containerPort: 3000
      # Also migrates the database, which can take minutes after an update.
      startupProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 2
        failureThreshold: 300
      # The process, not the database: a restart would not bring that back.
      livenessProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      # Fails first when the pod is told to stop; requests are answered for 5 more seconds (STOP_GRACE_SECONDS).
      readinessProbe:
        httpGet: { path: /ready, port: http }
        periodSeconds: 2
        timeoutSeconds: 3
        # A busy pod stays in service after one late answer. A pod that stops is removed at once, without a probe.
        failureThreshold: 3
      {{- end }}
      resources:
        {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: {{ .root.Values.tmp.sizeLimit }}
    {{- if not .data }}
    # Nothing is kept here: secrets are settings, files go to the object store.
    - name: data
      emptyDir:
        sizeLimit: 1Gi
    {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
