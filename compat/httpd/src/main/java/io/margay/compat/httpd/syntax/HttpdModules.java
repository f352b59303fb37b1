package io.margay.compat.httpd.syntax;

import java.util.Locale;
import java.util.Set;

/// Which modules of httpd `IfModule` finds here: those whose work is done here, and those that the
/// files load. Stateless.
final class HttpdModules {
    private static final Set<String> STOOD_FOR =
            Set.of(
                    "jk",
                    "proxy",
                    "proxy_ajp",
                    "proxy_http",
                    "proxy_http2",
                    "http2",
                    "proxy_fcgi",
                    "proxy_wstunnel",
                    "proxy_balancer",
                    "proxy_hcheck",
                    "lbmethod_byrequests",
                    "lbmethod_bytraffic",
                    "lbmethod_bybusyness",
                    "slotmem_shm",
                    "rewrite",
                    "alias",
                    "dir",
                    "mime",
                    "log_config",
                    "setenvif",
                    "env",
                    "ssl",
                    "headers",
                    "macro",
                    "remoteip",
                    "status",
                    "unixd",
                    "so",
                    "core",
                    "version",
                    "authz_core",
                    "authz_host",
                    "access_compat",
                    "reqtimeout",
                    "mpm_event");

    /// Those of them that sites do without, where the files say which modules are loaded.
    private static final Set<String> BY_CHOICE =
            Set.of(
                    "deflate",
                    "brotli",
                    "filter",
                    "expires",
                    "md",
                    "cache",
                    "cache_disk",
                    "cache_socache");

    private HttpdModules() {}

    /// Whether the modules that are loaded are known, as in a whole configuration.
    static boolean isListed(Set<String> loaded) {
        return loaded.stream()
                .anyMatch(name ->
                        name.startsWith("mpm_")
                                || name.equals("authz_core_module")
                                || name.equals("authz_host_module"));
    }

    /// Whether a module is present.
    ///
    /// @param name `mod_jk.c` or `jk_module`
    /// @param loaded identifiers of `LoadModule`, in lower case
    static boolean isPresent(String name, Set<String> loaded) {
        String word = name.toLowerCase(Locale.ROOT);
        if (word.startsWith("mod_")) {
            word = word.substring(4);
        }
        if (word.endsWith(".c")) {
            word = word.substring(0, word.length() - 2);
        }
        if (word.endsWith("_module")) {
            word = word.substring(0, word.length() - 7);
        }
        return STOOD_FOR.contains(word)
                || (BY_CHOICE.contains(word) && !isListed(loaded))
                || loaded.contains(word + "_module");
    }
}
