# Short names for the common jobs. Each finds the JDK as ./margay does (bin/find-jdk).

.POSIX:
PACKAGES = bin/build -q -B -ntp -Dspotless.check.skip=true -Ppackages
# A program of packages, from its source.
TASK = "$$(bin/find-jdk build)/bin/java" -XX:TieredStopAtLevel=1 packages/src/main/java/io/margay/packages
# What the programs are made of, for the bills of materials of packages.
BILLS = $(PACKAGES) -pl app,lab,compat/java-ee -am -DskipTests package

.PHONY: help build check unit test verify dist site archive deb rpm image packages release compare-releases kubernetes artefacts format bench \
	pressure lab-aa lab-ab lab-ten lab-tools soak ajp-soak redeploy-soak upgrades handover many-sessions large-sessions scale handshakes pauses faults cluster simulation balancing h2-attacks h3-attacks memory-attacks hpack-vectors \
	access-agreement member-agreement nginx-agreement http3 quic-go aioquic h3spec shield-traffic etcd first-start tls-agreement acme otel-collector console-cost oidc javax-applications strangers cache-tests cache-pairs traffic shadow shadow-tomcats tck tck-pages tck-websocket tck-el tck-boot jmh clean

help:
	@echo "make build    everything ./margay needs, with all checks of the compiler, no tests"
	@echo "make check    the quick tests, for while you work"
	@echo "make unit     these and the slow ones, but those of processes (*IT)"
	@echo "make test     the format check and every test"
	@echo "make verify   make test after make clean"
	@echo "make dist     target/margay-VERSION.tar.gz"
	@echo "make archive, make deb, make rpm, make image"
	@echo "              the same with Java in it, for Debian, for Fedora, for containers, in packages/target"
	@echo "make packages all four, each installed and started; as root, on Debian"
	@echo "make release  everything that is published, from TAG=v0.1.0 or COMMIT=..., twice alike to the byte"
	@echo "make compare-releases ONE=... OTHER=... two folders of make release, to the byte"
	@echo "make kubernetes checks the Helm chart and the manifests"
	@echo "make artefacts what is published, in target/artefacts/repository, and a program that uses it"
	@echo "make site     the documentation as a site, in target/site, ready to publish"
	@echo "make format   formats the Java sources"
	@echo "make bench    measures the server beside its peers: PRESET of the lab (heartbeat) in MINUTES (10)"
	@echo "make pressure slow clients, storms, bad requests: what others see, what memory does"
	@echo "make soak     no answer is another's: SECONDS=60 or REQUESTS=2000000 over each transport"
	@echo "make lab-aa   tests the lab: the same server twice, 20 times (10 minutes)"
	@echo "make lab-ab   this Margay beside BEFORE=<commit>: what each kind of request costs on each"
	@echo "              transport (PRESET=ab or ab-short, ROWS=heartbeat-native,... MINUTES=20)"
	@echo "make lab-ten  tests the lab: a server that costs 10 % more, 20 times"
	@echo "make lab-tools the lab's load generator agrees with wrk, ab, h2load and openssl"
	@echo "make ajp-soak a million requests through httpd with mod_jk and with mod_proxy_ajp"
	@echo "make redeploy-soak 200 redeployments under load: nothing is lost, nothing is left"
	@echo "make upgrades processes that take over from each other (UPGRADES=1000 RATE=5000): nothing is lost"
	@echo "make handover gateways with registered members, upgraded, restarted and killed (REQUESTS=1000): nothing is lost"
	@echo "make many-sessions 100 000 sessions at 256 MiB, over a stop, a start and an upgrade: all are kept"
	@echo "make large-sessions sessions of a gigabyte at 192 MiB, in each store: nobody else notices"
	@echo "make faults   back ends killed and hung behind the gateway, under load (REQUESTS=200000 KILLS=10)"
	@echo "make pauses   containers that share sessions stand still for seconds (PAUSES=40): nothing is lost"
	@echo "make cluster  containers that share sessions, with faults, under load (RESTARTS=20 FAULTS=3)"
	@echo "make handshakes with 50 and 5 000 certificates, beside nginx and HAProxy (CERTIFICATES, HANDSHAKES, SERVERS)"
	@echo "make scale    thousands of hosts, certificates, members, WebSockets and sessions, beside nginx and HAProxy"
	@echo "              (HOSTS=10000 CERTIFICATES=1000 SWAPS=20 MEMBERS=10000 WEBSOCKETS=20000)"
	@echo "make balancing  which method of balancing wins when, in virtual time"
	@echo "make simulation how gateways know of containers, in virtual time (SEEDS=100000)"
	@echo "make h2-attacks what attacks over HTTP/2 cost the server, and those beside (SECONDS=3 each)"
	@echo "make h3-attacks the same over HTTP/3, at 128 MiB (SECONDS=3 each)"
	@echo "make memory-attacks a minute of each attack on memory, at 128 MiB (SECONDS=60 each)"
	@echo "make hpack-vectors DIR=... HPACK against a checkout of http2jp/hpack-test-case"
	@echo "make access-agreement who may ask for what, beside Apache httpd (CONFIGS=400 SEED=1)"
	@echo "make member-agreement what members and browsers receive, beside Apache httpd (CONFIGS=600 SEED=1)"
	@echo "make nginx-agreement servers made by chance, beside nginx (CONFIGS=400 SEED=1)"
	@echo "make shield-traffic browsers, search bots and crawlers at a host with a shield (SESSIONS=400 SEED=1)"
	@echo "make javax-applications twelve frameworks for javax, Tomcat 9's examples and a base, beside Tomcat 9"
	@echo "make strangers WARs of others from Maven Central, on Tomcat and on Margay"
	@echo "make cache-tests the public tests for HTTP caches, on a cache of Margay (KEYS='heuristic: 10, …')"
	@echo "make cache-pairs pairs of users at one cache, each of whom gets only what may be theirs (PAIRS=1000000)"
	@echo "make traffic   balancing beside nginx and HAProxy, a mirrored route, a library with crawlers (SECONDS=9)"
	@echo "make shadow   two equal servers compared: nothing differs (REQUESTS=100000)"
	@echo "make shadow-tomcats the same of two Tomcats, and of a Tomcat and Margay, after make strangers"
	@echo "make http3    curl with OpenSSL 3.5 at a server that speaks HTTP/3"
	@echo "make quic-go  a client of quic-go at the same; needs Go"
	@echo "make aioquic  a client of aioquic at the same; needs Python 3 with venv"
	@echo "make h3spec   45 rules of QUIC and HTTP/3 broken by h3spec, of which 8 may fail"
	@echo "make tls-agreement who is let in with which certificate, beside Apache httpd"
	@echo "make acme     certificates of a Pebble that is not reliable; needs Go (NAMES=200 SEED=1 ORDERS=10)"
	@echo "make otel-collector traces, metrics and logs by gRPC through the real collector; needs Go (REQUESTS=5000)"
	@echo "make console-cost what an open page of the console costs the server (SECONDS=15)"
	@echo "make oidc     users of a provider that is not ours log in and out, in Chromium"
	@echo "make tck      the Jakarta Servlet TCK, once it has been installed in TCK_REPO"
	@echo "make tck-pages, tck-websocket, tck-el"
	@echo "              the TCKs of Pages, WebSocket and Expression Language, likewise"
	@echo "make tck-boot BOOT_REPO=... Spring Boot's own tests of embedded servers"
	@echo "make jmh      JMH benchmarks of single parts (JMH='RequestDecoding -f 1')"
	@echo "make first-start a first start makes the cache that the next uses"
	@echo "make etcd ETCD=... members of upstreams from a real etcd"
	@echo "make clean    removes everything built"

build:
	@bin/build --stamp -q -B -ntp -DskipTests package

# Without the checks of the compiler and without the tests tagged "slow".
check:
	@bin/build -q -B -ntp -Dfast -T 2 test -DexcludedGroups=slow \
		-Dmaven.test.redirectTestOutputToFile=true
	@echo "make check: passed"

# All but those of processes (*IT), also without the checks of the compiler.
unit:
	@bin/build -q -B -ntp -Dfast -T 2 test -Dmaven.test.redirectTestOutputToFile=true
	@echo "make unit: passed"

test:
	@bin/test

verify: clean
	@bin/test

dist: build
	@bin/dist

site: build
	@rm -rf target/site
	@MARGAY_NO_BUILD=1 MARGAY_NO_CACHE=1 ./margay docs --to target/site
	@$$(bin/find-jdk build)/bin/javadoc -quiet --ignore-source-errors -Xdoclint:none -encoding UTF-8 -d target/site/api \
		-classpath 'app/target/lib/*' -windowtitle Margay \
		embedding/embed/src/main/java/io/margay/embed/*.java \
		server/src/main/java/io/margay/server/exchange/*.java \
		servlet/src/main/java/io/margay/servlet/session/engine/*.java || [ -f target/site/api/index.html ]

archive deb rpm image: dist
	@$(BILLS)
	@$(PACKAGES) -pl packages -am -DskipTests -Dpackages.made=$@ package

# TAG or COMMIT, else the tag of HEAD.
release:
	@umask 022 && $(TASK)/Release.java $(or $(TAG),$(COMMIT))

# Two folders with what make release has made: ONE and OTHER.
compare-releases:
	@$(TASK)/ReleaseComparison.java "$(ONE)" "$(OTHER)"

# MODE=--all fails if a tool is missing, MODE=--update writes the manifests anew, from the chart.
kubernetes: build
	@$(TASK)/KubernetesFiles.java $(MODE)

packages: dist
	@$(BILLS)
	@$(PACKAGES) -pl packages -am verify

artefacts:
	@$(TASK)/Artefacts.java

format:
	@bin/build -q -B -ntp spotless:apply

bench: build
	@MARGAY_NO_BUILD=1 ./margay lab run $(if $(filter-out ab,$(PRESET)),$(PRESET),heartbeat) \
		--minutes $(or $(MINUTES),10)

pressure: build
	@MARGAY_NO_BUILD=1 ./margay lab pressure

lab-aa: build
	@MARGAY_NO_BUILD=1 ./margay lab trials aa

# BEFORE is a commit, or the folder of another checkout or distribution. The server of before is built
# in target/before; fails if a figure is worse beyond its interval.
PRESET = ab
lab-ab: build
	@MARGAY_NO_BUILD=1 ./margay lab run $(PRESET) --before $(or $(BEFORE),$(error BEFORE=<commit> is missing)) \
		$(if $(ROWS),--scenarios $(ROWS)) $(if $(MINUTES),--minutes $(MINUTES)) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(LAUNCHES),--launches $(LAUNCHES))

lab-ten: build
	@MARGAY_NO_BUILD=1 ./margay lab trials ten

lab-tools: build
	@MARGAY_NO_BUILD=1 ./margay lab tools

# SOAK_REQUESTS for each front end; needs the packages apache2 and libapache2-mod-jk.
SOAK_REQUESTS = 1000000
ajp-soak:
	@bin/build -q -B -ntp -pl server -am test -Dtest=HttpdSoak \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.soak.requests=$(SOAK_REQUESTS)

# Nonces over each transport in turn: SECONDS each, or REQUESTS each.
SECONDS = 0
SOAK_NONCES = $(or $(REQUESTS),2000000)
soak:
	@bin/build -q -B -ntp -pl app -am test -Dfast -Dtest=NonceTest -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.soak.seconds=$(SECONDS) -Dmargay.soak.requests=$(SOAK_NONCES)

# Members from a real etcd, whose program ETCD names.
etcd:
	@test -x "$(ETCD)" || { echo "make etcd ETCD=/path/to/etcd" >&2; exit 2; }
	@bin/build -q -B -ntp -pl extensions/members-watch -am test -Dfast -Dtest=EtcdServerCheck \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.etcd=$(abspath $(ETCD))

first-start: build
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=StartCacheSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false

# Processes that take over from each other under so many new connections a second.
SOAK_UPGRADES = $(or $(UPGRADES),1000)
SOAK_RATE = $(or $(RATE),5000)
upgrades:
	@rm -f app/target/upgrades.txt
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=UpgradeSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.soak.upgrades=$(SOAK_UPGRADES) -Dmargay.soak.rate=$(SOAK_RATE) \
		-Dmargay.soak.transport=$(or $(TRANSPORT),native)
	@cat app/target/upgrades.txt

# REQUESTS after each event.
handover:
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=GatewayHandoverIT -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.handover.requests=$(or $(REQUESTS),1000)

# Containers that stand still for seconds, PAUSES times with each of STORES (redis, valkey, postgresql, mariadb);
# gateways ask by SCHEME (http, ajp) and wait REPLY seconds for an answer.
pauses: build
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=SessionPausesSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.pauses=$(or $(PAUSES),40) \
		-Dmargay.pauses.stores=$(or $(STORES),redis,postgresql,mariadb) \
		-Dmargay.pauses.scheme=$(or $(SCHEME),http) -Dmargay.pauses.reply=$(or $(REPLY),20)

many-sessions:
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=ManySessionsTest,SessionStreamMemoryTest -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.sessions.count=$(or $(COUNT),100000) -Dmargay.sessions.heap=$(or $(HEAP),256m)
	@cat app/target/many-sessions.txt

large-sessions: build
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=LargeSessionSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false

SOAK_REDEPLOYS = 200
redeploy-soak:
	@bin/build -B -ntp -Dfast -pl app -am test -Dtest=RedeploySoak \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.soak.redeploys=$(SOAK_REDEPLOYS)

# GET requests by each of FRONTS, at least; a quarter as many POST requests; KILLS at least, and
# the seconds between two. FRONTS may also name margay-h2c, and mod_jk, nginx and haproxy, if they are
# installed.
FAULTS_REQUESTS = $(or $(REQUESTS),200000)
FAULTS_PERIOD = $(or $(PERIOD),10)
FAULTS_KILLS = $(or $(KILLS),10)
FAULTS_FRONTS = $(or $(FRONTS),margay-ajp$(comma)margay-http)
comma = ,
faults: build
	@rm -f app/target/gateway-faults.txt
	@bin/build -q -B -ntp -pl app -am test -Dtest=GatewayFaultsSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.faults.requests=$(FAULTS_REQUESTS) -Dmargay.faults.period=$(FAULTS_PERIOD) \
		-Dmargay.faults.kills=$(FAULTS_KILLS) -Dmargay.faults.fronts=$(FAULTS_FRONTS)
	@cat app/target/gateway-faults.txt

# Three containers, two gateways, a cluster of six of the engine of sessions: RESTARTS of containers,
# FAULTS of each other kind, HELD of those that last for ten seconds, REQUESTS at least by CLIENTS, fewer if MINUTES
# end before.
# SYSTEMS=margay,margay-valkey,margay-sentinel,margay-postgresql,margay-mariadb,margay-dns,margay-etcd,
# margay-kubernetes,nginx-delta,haproxy-persistent,haproxy-redisson,haproxy-spring has sentinels or a database in place
# of the cluster, gateways that learn of the containers by name from dnsmasq, etcd or the API server of Kubernetes
# (built by Go 1.26 the first time), and nginx and HAProxy before Tomcat suffer the same (Debian packages
# dnsmasq-base, etcd-server, nginx, haproxy). VALKEY_SERVER=/usr/bin/valkey-server in the environment is run in place
# of redis-server.
# The tables of docs/measurements/cluster-data.txt are those of the longest runs: a shorter one leaves them as they are.
CLUSTER_REQUESTS = $(or $(REQUESTS),100000)
CLUSTER_RESTARTS = $(or $(RESTARTS),20)
CLUSTER_FAULTS = $(or $(FAULTS),3)
CLUSTER_HELD = $(or $(HELD),2)
CLUSTER_MINUTES = $(or $(MINUTES),1440)
CLUSTER_SYSTEMS = $(or $(SYSTEMS),margay)
comma = ,
CLUSTER_PEERS = $(filter haproxy-redisson haproxy-spring,$(subst $(comma), ,$(CLUSTER_SYSTEMS)))
COPY_DEPENDENCIES = org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies
cluster: build
	@bin/build -q -B -ntp -pl app dependency:unpack@unpack-tomcat
	@for peer in $(CLUSTER_PEERS); do \
		JAVA_HOME=$$(bin/find-jdk build) mvn -q -B -ntp -f app/src/test/peers/$$peer/pom.xml $(COPY_DEPENDENCIES) \
			-DincludeScope=runtime -DoutputDirectory=$(CURDIR)/app/target/peers/$$peer || exit 1; done
	@api= && case ,$(CLUSTER_SYSTEMS), in *,margay-kubernetes,*) api=$$(bin/kube-apiserver app/target/kubernetes) || exit 1 ;; esac && \
	bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=ClusterFaultsSoak -Dtest.timeout=0 \
		-Dmargay.kube-apiserver="$$api" \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.cluster.requests=$(CLUSTER_REQUESTS) -Dmargay.cluster.restarts=$(CLUSTER_RESTARTS) \
		-Dmargay.cluster.faults=$(CLUSTER_FAULTS) -Dmargay.cluster.held=$(CLUSTER_HELD) \
		-Dmargay.cluster.systems=$(CLUSTER_SYSTEMS) -Dmargay.cluster.minutes=$(CLUSTER_MINUTES) \
		-Dmargay.cluster.clients=$(or $(CLIENTS),8)
	@cat app/target/cluster.json

# What an open page of the console costs the server, and how soon it is there.
console-cost: build
	@rm -f app/target/console-cost.txt
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=ConsoleCostSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false $(if $(filter-out 0,$(SECONDS)),-Dmargay.console.seconds=$(SECONDS))
	@cat app/target/console-cost.txt

# What a start and a reload of one host cost, then handshakes, members and idle WebSockets, beside nginx and
# HAProxy, if they are installed, then 100 000 sessions. SERVERS=openssl,nginx,haproxy,jsse are asked for handshakes.
# Servers have no options, as those of users and the cache that is made for them.
GROWTH = -Dmargay.it.cache=$(CURDIR)/target/cache -Dmargay.it.options= $(if $(CERTIFICATES),-Dmargay.growth.certificates=$(CERTIFICATES)) \
	$(if $(MEMBERS),-Dmargay.growth.members=$(MEMBERS)) \
	$(if $(WEBSOCKETS),-Dmargay.growth.websockets=$(WEBSOCKETS)) \
	$(if $(HOSTS),-Dmargay.growth.hosts=$(HOSTS)) $(if $(ROUNDS),-Dmargay.growth.rounds=$(ROUNDS)) \
	$(if $(SWAPS),-Dmargay.growth.swaps=$(SWAPS)) \
	$(if $(HANDSHAKES),-Dmargay.growth.handshakes=$(HANDSHAKES)) \
	$(if $(SERVERS),-Dmargay.growth.servers=$(SERVERS))
handshakes: build
	@rm -f app/target/growth.md
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=GrowthSoak#handshakes -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false $(GROWTH)
	@cat app/target/growth.md

scale: build
	@rm -f app/target/growth.md
	@MARGAY_NO_BUILD=1 ./margay cache >/dev/null
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=ManyHostsSoak,GrowthSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false $(GROWTH)
	@cat app/target/growth.md
	@$(MAKE) many-sessions

# SEEDS of the simulation of gateways and containers, and its figures for clusters of several sizes.
SEEDS = 100000
simulation:
	@bin/build -q -B -ntp -Dfast -pl gateway -am test -Dtest=ClusterSimulationSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.simulation.seeds=$(SEEDS)
	@cat gateway/target/simulation.md

# Which method of balancing wins when, in virtual time.
balancing:
	@bin/build -q -B -ntp -Dfast -pl gateway -am test -Dtest=BalancingSimulationSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false
	@cat gateway/target/balancing.md

# Seconds for each attack; the table also stands in server/target/h2-attacks.md.
ATTACK_SECONDS = $(if $(filter-out 0,$(SECONDS)),$(SECONDS),3)
h2-attacks:
	@bin/build -q -B -ntp -Dfast -pl server -am test -Dtest=Http2AttackSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.attacks.seconds=$(ATTACK_SECONDS)
	@cat server/target/h2-attacks.md

# The same over HTTP/3, without TLS; the table also stands in server/target/h3-attacks.md.
h3-attacks:
	@rm -f server/target/h3-attacks.md
	@bin/build -q -B -ntp -Dfast -pl server -am test -Dtest=Http3AttackSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.attacks.seconds=$(ATTACK_SECONDS)
	@cat server/target/h3-attacks.md

# The table also stands in app/target/memory-attacks.md.
MEMORY_SECONDS = $(if $(filter-out 0,$(SECONDS)),$(SECONDS),60)
memory-attacks: build
	@rm -f app/target/memory-attacks.md
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=MemoryAttackSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.attacks.seconds=$(MEMORY_SECONDS)
	@cat app/target/memory-attacks.md

hpack-vectors:
	@bin/build -q -B -ntp -Dfast -pl protocol -am test -Dtest=HpackVectorsSoak \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.hpack.vectors=$(abspath $(DIR))

# Applications of frameworks in versions for javax, and Tomcat 9's own, served by Margay and by Tomcat 9.
javax-applications:
	@bin/build -q -B -ntp -Dfast -P javax-applications -pl $(JAVAX_MODULES) -am test \
		-Dtest='JavaxFrameworksTest,Tomcat9ExamplesTest,Tomcat9BaseTest' -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false

JAVAX = testing/frameworks/javax
JAVAX_MODULES = $(JAVAX)/tests,$(JAVAX)/struts1,$(JAVAX)/struts2,$(JAVAX)/spring4,$(JAVAX)/spring5,$\
$(JAVAX)/faces,$(JAVAX)/wicket,$(JAVAX)/jersey,$(JAVAX)/cxf,$(JAVAX)/gwt,$(JAVAX)/stripes,$\
$(JAVAX)/boot,$(JAVAX)/vaadin

# WARs of others, fetched from Maven Central into target/strangers, on Tomcat and on Margay.
strangers: build
	@for one in $$(sed -n 's/^\([^# ]*\) .*/\1/p' app/src/test/strangers.txt) \
			org.apache.tomcat:tomcat:9.0.117:zip org.apache.tomcat:tomcat:11.0.24:zip; do \
		JAVA_HOME=$$(bin/find-jdk build) mvn -q -B -ntp \
			org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy -Dartifact=$$one \
			-DoutputDirectory=$(CURDIR)/target/strangers || exit 1; done
	@cd target/strangers && for zip in *.zip; do "$$(../../bin/find-jdk build)/bin/jar" -xf "$$zip" || exit 1; done
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=StrangersSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.strangers=$(CURDIR)/target/strangers \
		-Dmargay.tomcat9=$(CURDIR)/target/strangers/apache-tomcat-9.0.117 \
		-Dmargay.tomcat11=$(CURDIR)/target/strangers/apache-tomcat-11.0.24
	@cat app/target/strangers.md

# The public tests for HTTP caches; needs Node 20. CACHE_TESTS names a checkout of them that is there.
KEYS = heuristic: 10, stale-if-error: 1h, store-cookies: true
cache-tests: build
	@rm -f app/target/cache-tests.txt
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=CacheSuiteSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.cache.keys='$(KEYS)' \
		-Dmargay.cache.suite=$(or $(abspath $(CACHE_TESTS)),$(CURDIR)/target/cache-tests)
	@cat app/target/cache-tests.txt

# Pairs of users at one cache: nothing of one reaches the other.
PAIRS = 1000000
cache-pairs:
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=CacheAttackTest#pairsOfUsers_neverGetWhatIsTheOthers \
		-Dtest.timeout=0 -Dsurefire.failIfNoSpecifiedTests=false -Dmargay.cache.pairs=$(PAIRS)

# Traffic with processes; needs nginx and haproxy.
traffic: build
	@rm -f app/target/traffic.md
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=TrafficSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false $(if $(filter-out 0,$(SECONDS)),-Dseconds=$(SECONDS))
	@cat app/target/traffic.md

# Two equal servers, compared by many requests: none of the answers differs.
shadow:
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=ShadowCommandTest#equalServers_differInNothing \
		-Dtest.timeout=0 -Dsurefire.failIfNoSpecifiedTests=false -Dmargay.shadow.requests=$(or $(REQUESTS),100000)

# Two equal Tomcats of the version that "make strangers" fetches, then a Tomcat and Margay: what differs.
shadow-tomcats:
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=ShadowStrangersSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.shadow.requests=$(or $(REQUESTS),100000) \
		-Dmargay.shadow.seed=$(SEED) \
		-Dmargay.strangers=$(CURDIR)/target/strangers \
		-Dmargay.tomcat9=$(CURDIR)/target/strangers/apache-tomcat-9.0.117
	@cat app/target/shadow-tomcats.txt

# Every combination of HttpdTlsAgreementIT; needs the package apache2.
tls-agreement:
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=HttpdTlsAgreementIT -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.tls.agreement.every=1

# Generated configurations that limit access, each given to httpd and to Margay: totals, and where they
# do not agree. A configuration on which they do not stands in app/target/access-agreement.
CONFIGS = 400
SEED = 1
access-agreement:
	@rm -rf app/target/access-agreement app/target/access-agreement.txt
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=AccessAgreementSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.agreement.configs=$(CONFIGS) -Dmargay.agreement.seed=$(SEED)
	@cat app/target/access-agreement.txt

# A curl that speaks HTTP/3 at files, servlets and members, on each transport.
http3:
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=Http3Soak -Dtest.timeout=0 -Dmargay.http3.bring=1 \
		-Dsurefire.failIfNoSpecifiedTests=false

# The client's source stands in app/src/test/quic-go; what it is built of comes from Go's proxy. What it says stands
# in app/target/quic-go.txt.
QUIC_GO = v0.65.0
quic-go:
	@rm -rf app/target/quic-go app/target/quic-go.txt && mkdir -p app/target/quic-go && cp app/src/test/quic-go/main.go app/target/quic-go
	@cd app/target/quic-go && go mod init quic-go && go get github.com/quic-go/quic-go@$(QUIC_GO) && go mod tidy && go build -o quic-go .
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest='Http3Soak#quicGo*' -Dtest.timeout=0 -Dmargay.http3.bring=1 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.quic-go=$(CURDIR)/app/target/quic-go/quic-go
	@cat app/target/quic-go.txt

# The cases stand in app/src/test/aioquic, aioquic comes from PyPI. What they say stands in app/target/aioquic.txt.
aioquic:
	@rm -rf app/target/aioquic app/target/aioquic.txt && mkdir -p app/target
	@python3 -m venv app/target/aioquic && app/target/aioquic/bin/pip -q install aioquic==1.7.2
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest='Http3Soak#aioquic*' -Dtest.timeout=0 -Dmargay.http3.bring=1 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.aioquic=$(CURDIR)/app/target/aioquic/bin/python
	@cat app/target/aioquic.txt

# h3spec comes as a program for Linux on x86-64 with a plugin of Netty's, from Maven Central. What it says stands in
# app/target/h3spec.txt.
H3SPEC = netty-incubator-h3spec-maven-plugin
h3spec:
	@rm -rf app/target/h3spec app/target/h3spec.txt && mkdir -p app/target/h3spec
	@JAVA_HOME=$$(bin/find-jdk build) mvn -q -B -ntp org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy \
		-Dartifact=io.netty.incubator:$(H3SPEC):0.0.5.Final -DoutputDirectory=$(CURDIR)/app/target/h3spec
	@cd app/target/h3spec && "$$(../../../bin/find-jdk build)/bin/jar" -xf $(H3SPEC)-0.0.5.Final.jar h3spec/h3spec-linux-x86_64
	@chmod +x app/target/h3spec/h3spec/h3spec-linux-x86_64
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest='Http3Soak#h3spec*' -Dtest.timeout=0 -Dmargay.http3.bring=1 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.h3spec=$(CURDIR)/app/target/h3spec/h3spec/h3spec-linux-x86_64
	@cat app/target/h3spec.txt

# Servers made by chance, in nginx and in Margay, which may be the stricter and never the laxer.
nginx-agreement:
	@rm -f app/target/nginx-agreement.txt
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=NginxAgreementSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.agreement.configs=$(CONFIGS) -Dmargay.agreement.seed=$(SEED)
	@cat app/target/nginx-agreement.txt

# Generated configurations, each given to httpd and to Margay: what HTTP, FastCGI and AJP members
# receive, and what is answered. A configuration on which they differ stands in app/target/member-agreement.
member-agreement: CONFIGS = 600
member-agreement:
	@rm -rf app/target/member-agreement app/target/member-agreement.txt
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=MemberAgreementSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.agreement.configs=$(CONFIGS) -Dmargay.agreement.seed=$(SEED)
	@cat app/target/member-agreement.txt

# Who is kept out by a shield, of browsers, search bots and crawlers whose sessions are made by chance.
SESSIONS = 400
shield-traffic:
	@rm -f app/target/shield-traffic.md
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=ShieldTrafficTest -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false \
		-Dmargay.shield.sessions=$(SESSIONS) -Dmargay.shield.seed=$(SEED)
	@cat app/target/shield-traffic.md

# The collector is built of Go's modules, its source stands in app/src/test/otel-collector.
COLLECTOR = v0.165.0
otel-collector:
	@rm -rf app/target/otel-collector && mkdir -p app/target/otel-collector && \
		cp app/src/test/otel-collector/main.go app/target/otel-collector
	@cd app/target/otel-collector && go mod init collector && \
		go get $(foreach part,exporter/otlphttpexporter receiver/otlpreceiver otelcol, \
			go.opentelemetry.io/collector/$(part)@$(COLLECTOR)) \
			go.opentelemetry.io/collector/confmap/provider/fileprovider@v1.71.0 && \
		go build -mod=mod -o collector .
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=CollectorSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.collector=$(CURDIR)/app/target/otel-collector/collector \
		$(if $(REQUESTS),-Dmargay.collector.requests=$(REQUESTS))

# Pebble is built by Go, which has to be installed; a report stands in extensions/acme/target/acme.txt.
NAMES = 200
acme:
	@rm -f extensions/acme/target/acme.txt
	@GOBIN=$(CURDIR)/extensions/acme/target/pebble go install \
		github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1 \
		github.com/letsencrypt/pebble/v2/cmd/pebble-challtestsrv@v2.10.1
	@bin/build -q -B -ntp -Dfast -pl extensions/acme -am test -Dtest=PebbleSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.pebble=$(CURDIR)/extensions/acme/target/pebble \
		-Dmargay.acme.report=$(CURDIR)/extensions/acme/target/acme.txt \
		-Dmargay.acme.names=$(NAMES) -Dmargay.acme.seed=$(SEED) \
		$(if $(ORDERS),-Dmargay.acme.orders=$(ORDERS))
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=SharedAcmeSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.pebble=$(CURDIR)/extensions/acme/target/pebble
	@cat extensions/acme/target/acme.txt

# The provider is mock-oauth2-server, from Maven Central.
oidc:
	@mkdir -p app/target
	@JAVA_HOME=$$(bin/find-jdk build) mvn -q -B -ntp -f app/src/oidc/pom.xml \
		dependency:copy-dependencies -DincludeScope=runtime \
		-DoutputDirectory=$(CURDIR)/app/target/oidc
	@bin/build -q -B -ntp -Dfast -pl app -am test -Dtest=ForeignProviderSoak -Dtest.timeout=0 \
		-Dsurefire.failIfNoSpecifiedTests=false -Dmargay.oidc.jars=$(CURDIR)/app/target/oidc

# A Jakarta TCK, which has to be in TCK_REPO, a Maven local repository: docs/reference/conformance.md. TCK is handed to
# Maven: TCK='-Dtest=CookieTests' or TCK=-Dtck.transport=nio. The Servlet suite runs twice: all tests but the
# client-certificate pair over HTTP, then that pair over TLS.
TCK_REPO ?= $(HOME)/.m2/repository
tck-there = name=$(1); version=$$(sed -n "s|.*<$(2).version>\(.*\)</$(2).version>.*|\1|p" testing/tck/pom.xml); \
	test -d "$(TCK_REPO)/$$name/$$version" || { echo "margay: this TCK is not in TCK_REPO: $(TCK_REPO)/$$name/$$version" \
	"It is in no registry: build and install it; docs/reference/conformance.md says more." >&2; exit 2; }
tck-run = rm -rf testing/tck/target/reports-$(1)-$(2) testing/tck/target/jdk-image && \
	bin/build -B -ntp -Ptck -Dmaven.repo.local=$(TCK_REPO) -Dtck.suite=$(1) -Dtck.container=$(2) -DskipTests \
	-pl testing/tck -am $(3) $(TCK) test
tck:
	@$(call tck-there,jakarta/servlet/tck/servlet-tck-runtime,servlet-tck)
	@status=0; $(call tck-run,servlet,http) || status=1; $(if $(findstring -Dtest=,$(TCK)),, \
		$(call tck-run,servlet,https,-Dtest=ClientCertTests$(comma)ClientCertAnnoTests \
		-Dsurefire.failIfNoSpecifiedTests=false) || status=1;) exit $$status

tck-pages:
	@$(call tck-there,jakarta/tck/jakarta-pages-tck,pages-tck)
	@$(call tck-run,pages,http)

tck-websocket:
	@$(call tck-there,jakarta/tck/websocket-tck-spec-tests,websocket-tck)
	@$(call tck-run,websocket,http)

tck-el:
	@$(call tck-there,jakarta/tck/jakarta-expression-language-tck,el-tck)
	@$(call tck-run,el,http)

# Spring Boot's own tests of embedded servers: BOOT_REPO is a clone of its repository. The fixtures are compiled
# beside the classes of testing/tck/boot, in a folder outside the sources.
BOOT_TAG = v4.1.1
BOOT = testing/tck/boot
BOOT_PARTS = module/spring-boot-web-server/src/testFixtures test-support/spring-boot-test-support/src/main/java
tck-boot:
	@rm -rf $(BOOT)/target/fixtures && mkdir -p $(BOOT)/target/fixtures/from
	@git -C "$(BOOT_REPO)" archive $(BOOT_TAG) $(BOOT_PARTS) | tar -x -C $(BOOT)/target/fixtures/from || \
		{ echo "BOOT_REPO must name a clone of github.com/spring-projects/spring-boot that has $(BOOT_TAG)" >&2; exit 2; }
	@cd $(BOOT)/target/fixtures && mv from/$(firstword $(BOOT_PARTS))/* . && \
		to=java/org/springframework/boot/testsupport && mkdir -p $$to && \
		(cd from/$(lastword $(BOOT_PARTS))/org/springframework/boot/testsupport && tar -c classpath junit system web) | \
		tar -x -C $$to && cp -R ../../src/test/java/io java/io
	@bin/build -B -ntp -Pboot-fixtures -Dfast -Dfixtures.version=$(BOOT_TAG:v%=%) -Dmaven.test.failure.ignore \
		-DskipTests -pl $(BOOT) -am $(TCK) test

# JMH benchmarks of single parts, with the allocation profiler: JMH='RequestDecoding -f 1'.
JMH_PATH = testing/benchmarks/target/classes:testing/benchmarks/target/lib/*
jmh:
	@bin/build -q -B -ntp -pl testing/benchmarks -am -DskipTests package
	@"$$(bin/find-jdk build)/bin/java" -cp '$(JMH_PATH)' org.openjdk.jmh.Main -prof gc $(JMH)

clean:
	@rm -rf target */target */*/target
