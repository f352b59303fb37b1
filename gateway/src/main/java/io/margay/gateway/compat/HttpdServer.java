package io.margay.gateway.compat;

import io.margay.gateway.compat.GatewayPlan.FilesPlan;
import io.margay.gateway.compat.GatewayPlan.LogPlan;
import io.margay.gateway.proxy.ProxyRules.Replacement;
import io.margay.gateway.proxy.TlsFact;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the directives of the main server or of a virtual host say, as they are read. Confined to
/// one reading.
final class HttpdServer {
    final Place place;

    /// `ADDRESS:PORT`, `*:PORT`; empty for the main server.
    final List<String> addresses;

    final List<String> names = new ArrayList<>();
    @Nullable String documentRoot;
    List<String> index = new ArrayList<>();
    final List<FilesPlan> aliases = new ArrayList<>();
    final List<LogPlan> logs = new ArrayList<>();

    // TLS

    boolean tls;
    final List<Path> certificates = new ArrayList<>();
    final List<Path> keys = new ArrayList<>();
    String clientAuth = "none";
    @Nullable Path trust;
    List<String> protocols = List.of();

    // mod_jk

    final List<MountRule> mounts = new ArrayList<>();
    final List<HttpdNode> mountFiles = new ArrayList<>();
    final List<String> options = new ArrayList<>();
    final Map<String, String> jkVariables = new LinkedHashMap<>();
    @Nullable Path jkLog;
    @Nullable String jkLogFormat;
    @Nullable String jkStamp;
    boolean mountCopy;
    boolean mountCopyAll;
    @Nullable String autoAlias;

    // mod_proxy

    final List<Pass> passes = new ArrayList<>();
    final List<Pass> sectionPasses = new ArrayList<>();
    final List<Reverse> reverses = new ArrayList<>();
    final List<Replacement> cookieDomains = new ArrayList<>();
    final List<Replacement> cookiePaths = new ArrayList<>();
    @Nullable Boolean preserveHost;
    @Nullable Integer errorOverride;
    @Nullable Boolean addHeaders;
    @Nullable Duration timeout;
    @Nullable Duration proxyTimeout;
    boolean passInherit = true;

    // Others

    boolean rewriteEngine;
    final List<Rewriting> rewrites = new ArrayList<>();
    final List<GatewayRule> redirects = new ArrayList<>();
    final List<GatewayRule> handlers = new ArrayList<>();
    final List<Pass> handled = new ArrayList<>();
    final List<GatewayRule> noJk = new ArrayList<>();
    final List<HttpdAccess> access = new ArrayList<>();
    final Map<String, String> environment = new LinkedHashMap<>();

    /// `RequestHeader`, as far as it tells of TLS.
    final Map<String, TlsFact> tlsFields = new LinkedHashMap<>();

    HttpdServer(Place place, List<String> addresses) {
        this.place = place;
        this.addresses = List.copyOf(addresses);
    }

    /// A `ProxyPass`, a `ProxyPassMatch`, or a `RewriteRule … [P]`.
    ///
    /// @param match which paths it takes
    /// @param url null for `!`
    /// @param conditions of a rewrite rule
    /// @param rewritten whether it is a `RewriteRule`
    record Pass(
            GatewayRule.PathMatch match,
            @Nullable ProxyUrl url,
            ProxyParameters parameters,
            boolean raw,
            io.margay.gateway.rules.RuleAction.Query query,
            List<Condition> conditions,
            boolean rewritten,
            Place place) {}

    /// A `RewriteRule`.
    ///
    /// @param rule what it is, but for what forwards
    /// @param pass what forwards, or null
    record Rewriting(GatewayRule rule, @Nullable Pass pass) {}

    /// A `ProxyPassReverse`.
    record Reverse(String path, String url) {}
}
