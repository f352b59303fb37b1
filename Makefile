# Short names for the common jobs. Each finds the JDK as ./margay does (bin/find-jdk).

.POSIX:
.PHONY: help build test verify dist format bench clean

help:
	@echo "make build    everything ./margay needs, with all checks of the compiler, no tests"
	@echo "make test     the format check and every test"
	@echo "make verify   make test after make clean"
	@echo "make dist     target/margay-VERSION.tar.gz"
	@echo "make format   formats the Java sources"
	@echo "make bench    measures the server beside its peers (bench/run)"
	@echo "make clean    removes everything built"

build:
	@bin/build --stamp -q -B -ntp -DskipTests package

test:
	@bin/test

verify: clean
	@bin/test

dist: build
	@bin/dist

format:
	@bin/build -q -B -ntp spotless:apply

bench: build
	@bench/run

clean:
	@rm -rf target */target
