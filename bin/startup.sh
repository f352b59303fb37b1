#!/bin/sh
# catalina.sh, by the name that Tomcat has for this.
exec "$(dirname -- "$(readlink -f -- "$0")")/catalina.sh" start "$@"
