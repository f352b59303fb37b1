# Shared by the margay-* server files: margay.sh TRANSPORT [TLS] prepare|version|start
# TLS (openssl or jsse) counts with BENCH_CERT only. BENCH_USERS is a file of users, without TLS.
transport=$1
tls=auto
if [ $# = 3 ]; then
    tls=$2
    shift
fi

case $2 in
    prepare) ;; # bench/run has built it
    version) ./margay version ;;
    start)
        export MARGAY_NO_CACHE=1 MARGAY_JAVA_HOME=$JAVA_HOME MARGAY_JAVA_OPTS=$BENCH_JAVA_OPTS
        if [ -n "${BENCH_USERS:-}" ]; then
            cat > "$BENCH_WORK/margay.yaml" <<YAML
listeners:
  - http: 127.0.0.1:$BENCH_PORT
    transport: $transport
hosts:
  - webapps: $BENCH_WEBAPPS
deploy: {users: $BENCH_USERS}
work: $BENCH_WORK/work
YAML
            exec ./margay run "$BENCH_WORK/margay.yaml"
        elif [ -z "$BENCH_CERT" ]; then
            exec ./margay run --http "127.0.0.1:$BENCH_PORT" --transport "$transport" \
                --work "$BENCH_WORK/work" "$BENCH_WEBAPPS"
        fi
        cat > "$BENCH_WORK/margay.yaml" <<YAML
listeners:
  - https: 127.0.0.1:$BENCH_PORT
    transport: $transport
    tls: $tls
    certificates: [{cert: $BENCH_CERT, key: $BENCH_KEY}]
hosts:
  - webapps: $BENCH_WEBAPPS
work: $BENCH_WORK/work
YAML
        exec ./margay run "$BENCH_WORK/margay.yaml"
        ;;
esac
