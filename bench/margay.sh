# Shared by the margay-* server files: margay.sh TRANSPORT prepare|version|start
transport=$1

case $2 in
    prepare) ;; # bench/run has built it
    version) ./margay version ;;
    start)
        export MARGAY_JAVA_HOME=$JAVA_HOME MARGAY_JAVA_OPTS=$BENCH_JAVA_OPTS
        exec ./margay run --http "127.0.0.1:$BENCH_PORT" --transport "$transport" \
            --work "$BENCH_WORK/work" "$BENCH_WEBAPPS"
        ;;
esac
