/// What a front end does: chooses a peer for each request and carries it there and back.
module io.margay.gateway {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;
    requires transitive io.margay.server;
    requires com.github.benmanes.caffeine;
    requires java.naming;
    requires jdk.jfr;
    requires org.apache.commons.codec;
    requires re2j;
    requires spring.security.crypto;

    uses io.margay.gateway.discovery.MemberFinderProvider;
    uses io.margay.gateway.discovery.MemberRegistryProvider;
    uses io.margay.gateway.discovery.NameServiceProvider;
    uses io.margay.gateway.login.OpenIdProvider;
    uses io.margay.gateway.mirror.ShadowProvider;

    exports io.margay.gateway.access;
    exports io.margay.gateway.access.handler;
    exports io.margay.gateway.access.match;
    exports io.margay.gateway.balance;
    exports io.margay.gateway.cache;
    exports io.margay.gateway.canary;
    exports io.margay.gateway.config;
    exports io.margay.gateway.directory;
    exports io.margay.gateway.discovery;
    exports io.margay.gateway.forward;
    exports io.margay.gateway.health;
    exports io.margay.gateway.limit;
    exports io.margay.gateway.listing;
    exports io.margay.gateway.login;
    exports io.margay.gateway.mirror;
    exports io.margay.gateway.peer;
    exports io.margay.gateway.plan;
    exports io.margay.gateway.proxy;
    exports io.margay.gateway.retry;
    exports io.margay.gateway.rules;
    exports io.margay.gateway.rules.compiled;
    exports io.margay.gateway.rules.lines;
    exports io.margay.gateway.rules.regex;
    exports io.margay.gateway.shield;
    exports io.margay.gateway.status;
    exports io.margay.gateway.substitute;
}
