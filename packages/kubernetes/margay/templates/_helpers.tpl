{{- define "margay.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "margay.labels" -}}
app.kubernetes.io/name: margay
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* Of one component: (list . "server") */}}
{{- define "margay.selector" -}}
app.kubernetes.io/name: margay
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "margay.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "margay.secret" -}}
{{- .Values.secret | default (include "margay.name" .) -}}
{{- end -}}

{{/* Whether the chart brings the engine of sessions. */}}
{{- define "margay.valkey" -}}
{{- if and (eq .Values.sessions.store "valkey") (not .Values.sessions.url) }}yes{{ end -}}
{{- end -}}

{{- define "margay.sessionUrl" -}}
{{- if .Values.sessions.url -}}
{{ .Values.sessions.url }}
{{- else -}}
redis://:${VALKEY_PASSWORD}@{{ include "margay.name" . }}-valkey:6379
{{- end -}}
{{- end -}}

{{/* What servers and gateways have in common: (list . resources component) */}}
{{- define "margay.container" -}}
{{- $top := index . 0 -}}
name: margay
image: {{ include "margay.image" $top | quote }}
imagePullPolicy: {{ $top.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
ports:
  - {name: http, containerPort: 8080}
  - {name: admin, containerPort: 9990}
# The process serves: applications are deployed, and /health has not begun to answer 503.
startupProbe:
  httpGet: {path: /health/ready, port: admin}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: {{ div (add $top.Values.startupSeconds 1) 2 }}
# From SIGTERM on it answers 503, while new connections are still taken.
readinessProbe:
  httpGet: {path: /health/ready, port: admin}
  periodSeconds: 3
  timeoutSeconds: 2
  failureThreshold: 2
# 503 only where a thread that the server depends on has died.
livenessProbe:
  httpGet: {path: /health/live, port: admin}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
resources: {{- index . 1 | toYaml | nindent 2 }}
{{- end -}}

{{- define "margay.pod" -}}
{{- $top := index . 0 -}}
# Variables of services, as MARGAY_PORT, would be taken for settings.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ add $top.Values.drainDelaySeconds $top.Values.drainSeconds 10 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with $top.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "margay.selector" . | nindent 8 }}
{{- end -}}
