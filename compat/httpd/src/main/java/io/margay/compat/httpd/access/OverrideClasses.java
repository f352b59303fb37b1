package io.margay.compat.httpd.access;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.TextFile;
import io.margay.gateway.access.FolderOverrides;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The classes of `AllowOverride`, and which directives belong to them. Stateless.
public final class OverrideClasses {
    public static final Set<String> ALL =
            Set.of("authconfig", "fileinfo", "indexes", "limit", "options");

    /// What httpd allows where nothing is said: it reads the file, and wants nothing in it.
    static final String NOTHING = "nothing";

    private static final String REFUSED = "is not allowed here by AllowOverride";

    /// What is for the server's own files, whatever `AllowOverride` and `AllowOverrideList` say:
    /// httpd answers 500 for each (some would read or show any file, such as `RewriteMap`).
    private static final Set<String> OF_THE_SERVER =
            Set.of(
                    ("ServerRoot Listen ServerName ServerAlias ServerAdmin VirtualHost Location"
                                    + " LocationMatch Directory DirectoryMatch Proxy ProxyMatch"
                                    + " DocumentRoot TypesConfig AllowOverride AllowOverrideList"
                                    + " AccessFileName Alias AliasMatch ScriptAlias"
                                    + " ScriptAliasMatch RewriteMap ProxyPass ProxyPassMatch"
                                    + " ProxyPassReverse ProxyPassReverseCookieDomain"
                                    + " ProxyPassReverseCookiePath ProxyPassInherit"
                                    + " BalancerMember ProxySet ProxyPreserveHost"
                                    + " ProxyErrorOverride ProxyTimeout ProxyAddHeaders"
                                    + " ProxyIOBufferSize CustomLog TransferLog LogFormat"
                                    + " ErrorLog LogLevel Timeout KeepAlive KeepAliveTimeout"
                                    + " MaxKeepAliveRequests LimitRequestLine"
                                    + " LimitRequestFields LimitRequestFieldSize"
                                    + " RequestReadTimeout TraceEnable AllowEncodedSlashes"
                                    + " AllowMethods DeflateCompressionLevel DeflateAlterETag"
                                    + " RemoteIPHeader RemoteIPTrustedProxy"
                                    + " RemoteIPInternalProxy RemoteIPTrustedProxyList"
                                    + " RemoteIPInternalProxyList RemoteIPProxiesHeader"
                                    + " RemoteIPProxyProtocol SSLEngine SSLProtocol"
                                    + " SSLCertificateFile SSLCertificateKeyFile"
                                    + " SSLProxyEngine SSLProxyVerify")
                            .toLowerCase(Locale.ROOT)
                            .split(" "));

    /// The beginning of a section.
    private static final Pattern SECTION = Pattern.compile("\\s*(<[A-Za-z]+).*");

    private static final Map<String, String> BY_DIRECTIVE = new HashMap<>();

    static {
        add(
                "authconfig",
                "Require RequireAll RequireAny RequireNone AuthMerging Satisfy SSLRequireSSL"
                        + " SSLRequire SSLUserName AuthDigestProvider AuthDigestQop"
                        + " AuthDigestAlgorithm"
                        + " AuthDigestNcCheck AuthDigestNonceLifetime"
                        + " AuthType AuthName AuthUserFile AuthGroupFile AuthBasicProvider"
                        + " AuthBasicAuthoritative AuthzSendForbiddenOnFailure");
        add("limit", "Order Allow Deny");
        add(
                "fileinfo",
                "Redirect RedirectMatch RedirectPermanent RedirectTemp RewriteEngine RewriteBase"
                        + " RewriteCond RewriteRule RewriteOptions SetEnv UnsetEnv SetEnvIf"
                        + " SetEnvIfNoCase SetEnvIfExpr BrowserMatch BrowserMatchNoCase SetHandler"
                        + " AddHandler AddType ForceType AcceptPathInfo RemoveHandler RemoveType"
                        + " ErrorDocument"
                        + " Header RequestHeader SetOutputFilter AddOutputFilter"
                        + " AddOutputFilterByType RemoveOutputFilter AddLanguage DefaultLanguage"
                        + " RemoveLanguage AddEncoding RemoveEncoding LanguagePriority"
                        + " ForceLanguagePriority MultiviewsMatch Substitute"
                        + " SubstituteMaxLineLength SubstituteInheritBefore");
        add(
                "indexes",
                "DirectoryIndex DirectorySlash FallbackResource IndexOptions ExpiresActive"
                        + " ExpiresByType ExpiresDefault IndexIgnore IndexIgnoreReset"
                        + " IndexOrderDefault IndexStyleSheet IndexHeadInsert HeaderName"
                        + " ReadmeName DefaultIcon AddIcon AddIconByType AddIconByEncoding AddAlt"
                        + " AddAltByType AddAltByEncoding AddDescription");
        add("options", "Options");
    }

    private OverrideClasses() {}

    private static void add(String name, String directives) {
        for (String directive : directives.split(" ")) {
            BY_DIRECTIVE.put(directive.toLowerCase(Locale.ROOT), name);
        }
    }

    /// Reads the words of `AllowOverride`; empty when one is not known.
    public static Optional<Set<String>> parse(List<String> words) {
        Set<String> found = new java.util.TreeSet<>();
        for (String word : words) {
            String name = word.toLowerCase(Locale.ROOT).replaceFirst("=.*", "");
            if (name.equals("all")) {
                found.addAll(ALL);
            } else if (ALL.contains(name)) {
                found.add(name);
            } else if (!name.equals("none") && !name.equals("nonfatal")) {
                return Optional.empty();
            }
        }
        return words.isEmpty() ? Optional.empty() : Optional.of(found);
    }

    /// Complains of directives that are not allowed.
    public static void check(
            TextFile text, List<HttpdNode> nodes, FolderOverrides allowed, Account account) {
        if (ALL.stream().noneMatch(allowed::hasClass)) {
            sections(text, allowed, account);
        }
        check(nodes, allowed, account);
    }

    /// Where no class is allowed, no section is, be it one that is skipped.
    private static void sections(TextFile text, FolderOverrides allowed, Account account) {
        int number = 0;
        for (String line : text.lines()) {
            number++;
            Matcher section = SECTION.matcher(line);
            if (section.matches()
                    && !allowed.hasDirective(section.group(1).toLowerCase(Locale.ROOT))) {
                account.wrong(new Place(text.name(), number), section.group(1), REFUSED);
            }
        }
    }

    private static void check(List<HttpdNode> nodes, FolderOverrides allowed, Account account) {
        for (HttpdNode node : nodes) {
            String name = BY_DIRECTIVE.get(node.key());
            boolean listed = allowed.hasDirective((node.section() ? "<" : "") + node.key());
            boolean refused =
                    name == null
                            ? !node.section() && ALL.stream().noneMatch(allowed::hasClass)
                            : !allowed.hasClass(name);
            if (OF_THE_SERVER.contains(node.key())) {
                account.wrong(node.place(), node.title(), "is for the server's own files alone");
            } else if (refused && !listed) {
                account.wrong(node.place(), node.title(), REFUSED);
            }
            boolean limit = node.section() && node.key().startsWith("limit");
            if (limit && !KnownMethods.hasAll(node.arguments())) {
                account.wrong(
                        node.place(), node.title(), "names a method that httpd does not" + " know");
            }
            check(node.children(), allowed, account);
        }
    }
}
