# What a page has people type follows; MARGAY is the launcher of the checkout.
set -eu
server=
beside=
trap 'status=$?; stop_server; before_alone; kill $(jobs -p) 2>/dev/null || true; exit $status' EXIT

printf '#!/bin/sh\nexec "$MARGAY" "$@"\n' >margay
chmod +x margay
# A password is typed twice.
htpasswd() {
    case " $* " in
        *" -D "*) command htpasswd "$@" ;;
        *) echo secret | command htpasswd -i "$@" ;;
    esac
}
curl() {
    command curl -sS --max-time 60 --fail-with-body "$@"
    echo >&2
}

stop_server() {
    [ -n "$server" ] || return 0
    pkill -TERM -P "$server" || true
    kill -TERM "$server" 2>/dev/null || true
    wait "$server" || true
    server=
}

# started PID: waits until the server of this process is ready.
started() {
    server=$1
    for _ in $(seq 1 1200); do
        if grep -q '^margay: ready in' server.log; then return 0; fi
        if ! kill -0 "$server" 2>/dev/null; then break; fi
        sleep 0.1
    done
    echo "the server does not start:"
    cat server.log
    return 1
}

# The file of which the page has told before.
before_yaml() {
    if [ ! -d hello ]; then return 0; fi
    printf '%s\n' 'listeners:' '  - http: 8080' '  - https: 8443' \
        '    certificates: [{cert: site.pem, key: site.key}]' 'hosts:' \
        '  - access-log: {file: logs/access.log, format: combined}' '    routes:' '      /: {app: hello}' \
        >margay.yaml
}

# httpd has been stopped.
before_alone() {
    for other in $beside; do
        kill -TERM "$other"
        wait "$other" || true
    done
    beside=
}

before_javax() {
    cp shop-javax.war shop.war
}

before_manager() {
    export TOKEN=correct-horse-battery
    stop_server
    MARGAY_ADMIN_TOKEN=$TOKEN ./margay run webapps/ --admin 9990 >server.log 2>&1 &
    started $!
}

# Both front ends, and the application behind them.
before_beside() {
    ./margay run --static /=www --static /shop=www --http 80 --work beside >beside.log 2>&1 &
    beside=$!
    ./margay run shop.war --context /shop --http 8081 --ajp 8009 --ajp-secret none --work behind >behind.log 2>&1 &
    beside="$beside $!"
    for _ in $(seq 1 600); do
        if grep -q 'ready in' beside.log && grep -q 'ready in' behind.log; then return 0; fi
        sleep 0.1
    done
    cat beside.log behind.log
    return 1
}

before_members() {
    export TOKEN=correct-horse-battery-staple-of-32-chars
    stop_server
    echo "$TOKEN" >shop.token
    printf '%s\n' 'listeners: [{http: 8080}]' 'admin: 127.0.0.1:9990' "admin-token: $TOKEN" 'hosts:' \
        '  - routes: {/shop/*: {gateway: shop}}' 'upstreams:' \
        '  shop: {members: {registered: {token-file: shop.token}}}' >margay.yaml
    ./margay run margay.yaml >server.log 2>&1 &
    started $!
    curl -X PUT -H "Authorization: Bearer $TOKEN" \
        'http://127.0.0.1:9990/api/upstreams/shop/registrations/tc1?url=ajp://127.0.0.1:8009&route=tc1&lease=10'
}
