# Shared by the tomcat-* server files: tomcat.sh PROTOCOL_CLASS JSP_MODE prepare|version|start
# JSP_MODE is development (as distributed) or production (no look at the page's date).
#
# Tomcat as its distribution has it, but: no access log, no other port, and keep-alive without the
# limit of 100 requests, which would make the client reconnect. The pages are those of the examples.
protocol=$1
mode=$2
tomcat=11.0.24
home=target/bench/apache-tomcat-$tomcat

case $3 in
    prepare)
        if [[ ! -f $home/bin/catalina.sh ]]; then
            bin/build -q -B -ntp -N dependency:copy \
                "-Dartifact=org.apache.tomcat:tomcat:$tomcat:zip" \
                -DoutputDirectory=target/bench >&2
            (cd target/bench && "$JAVA_HOME/bin/jar" xf "tomcat-$tomcat.zip")
        fi
        ;;
    version) printf 'Apache Tomcat %s\n' "$tomcat" ;;
    start)
        base=$BENCH_WORK
        mkdir -p "$base/conf" "$base/temp" "$base/logs" "$base/work"
        cp "$home/conf/web.xml" "$home/conf/logging.properties" "$base/conf/"
        if [ "$mode" = production ]; then
            jsp='<servlet-class>org.apache.jasper.servlet.JspServlet</servlet-class>'
            off='<init-param><param-name>development</param-name>'
            off="$off<param-value>false</param-value></init-param>"
            sed -i "s#$jsp#&$off#" "$base/conf/web.xml"
            grep -qF "$jsp$off" "$base/conf/web.xml"
        fi
        secure= inside=
        if [ -n "$BENCH_CERT" ]; then
            secure='SSLEnabled="true" scheme="https" secure="true"'
            inside="<SSLHostConfig><Certificate certificateFile=\"$BENCH_CERT\""
            inside="$inside certificateKeyFile=\"$BENCH_KEY\"/></SSLHostConfig>"
        fi
        realm=
        if [ -n "${BENCH_USERS:-}" ]; then
            realm="<Realm className=\"org.apache.catalina.realm.MemoryRealm\""
            realm="$realm pathname=\"$BENCH_USERS\"/>"
        fi
        cat > "$base/conf/server.xml" <<XML
<Server port="-1">
  <Service name="Catalina">
    <Connector address="127.0.0.1" port="$BENCH_PORT" protocol="$protocol"
               connectionTimeout="20000" maxKeepAliveRequests="-1" $secure>$inside</Connector>
    <Engine name="Catalina" defaultHost="localhost">$realm
      <Host name="localhost" appBase="$BENCH_WEBAPPS" autoDeploy="false"/>
    </Engine>
  </Service>
</Server>
XML
        export CATALINA_HOME=$PWD/$home CATALINA_BASE=$base CATALINA_OPTS=$BENCH_JAVA_OPTS
        exec bash "$home/bin/catalina.sh" run
        ;;
esac
