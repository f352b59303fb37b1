package io.margay.compat.httpd.syntax;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The directives of httpd and its modules that are supported. A table; those that are known but
/// not supported are in `unsupported-directives.txt`.
public enum HttpdDirective {
    DEFINE("Define"),
    UN_DEFINE("UnDefine"),
    SERVER_ROOT("ServerRoot"),
    INCLUDE("Include"),
    INCLUDE_OPTIONAL("IncludeOptional"),
    IF_MODULE("IfModule"),
    IF_DEFINE("IfDefine"),
    IF_VERSION("IfVersion"),
    IF_FILE("IfFile"),
    IF_DIRECTIVE("IfDirective"),
    IF_SECTION("IfSection"),
    IF("If"),
    ELSE_IF("ElseIf"),
    ELSE("Else"),
    MACRO("Macro"),
    USE("Use"),
    UNDEF_MACRO("UndefMacro"),
    LISTEN("Listen"),
    SERVER_NAME("ServerName"),
    SERVER_ALIAS("ServerAlias"),
    VIRTUAL_HOST("VirtualHost"),
    LOCATION("Location"),
    LOCATION_MATCH("LocationMatch"),
    DIRECTORY("Directory"),
    DIRECTORY_MATCH("DirectoryMatch"),
    FILES("Files"),
    FILES_MATCH("FilesMatch"),
    PROXY("Proxy"),
    PROXY_MATCH("ProxyMatch"),
    LIMIT("Limit"),
    LIMIT_EXCEPT("LimitExcept"),
    JK_WORKERS_FILE("JkWorkersFile"),
    JK_WORKER_PROPERTY("JkWorkerProperty"),
    JK_MOUNT_FILE("JkMountFile"),
    JK_MOUNT_FILE_RELOAD("JkMountFileReload"),
    JK_MOUNT("JkMount"),
    JK_UN_MOUNT("JkUnMount"),
    JK_AUTO_ALIAS("JkAutoAlias"),
    JK_MOUNT_COPY("JkMountCopy"),
    JK_LOG_FILE("JkLogFile"),
    JK_LOG_LEVEL("JkLogLevel"),
    JK_LOG_STAMP_FORMAT("JkLogStampFormat"),
    JK_REQUEST_LOG_FORMAT("JkRequestLogFormat"),
    JK_OPTIONS("JkOptions"),
    JK_ENV_VAR("JkEnvVar"),
    JK_STRIP_SESSION("JkStripSession"),
    JK_EXTRACT_SSL("JkExtractSSL"),
    PROXY_PASS("ProxyPass"),
    PROXY_PASS_MATCH("ProxyPassMatch"),
    PROXY_PASS_REVERSE("ProxyPassReverse"),
    PROXY_PASS_REVERSE_COOKIE_DOMAIN("ProxyPassReverseCookieDomain"),
    PROXY_PASS_REVERSE_COOKIE_PATH("ProxyPassReverseCookiePath"),
    BALANCER_MEMBER("BalancerMember"),
    PROXY_SET("ProxySet"),
    PROXY_PRESERVE_HOST("ProxyPreserveHost"),
    PROXY_ERROR_OVERRIDE("ProxyErrorOverride"),
    PROXY_TIMEOUT("ProxyTimeout"),
    PROXY_ADD_HEADERS("ProxyAddHeaders"),
    PROXY_PASS_INHERIT("ProxyPassInherit"),
    PROXY_HC_TEMPLATE("ProxyHCTemplate"),
    PROXY_HC_EXPR("ProxyHCExpr"),
    PROXY_IO_BUFFER_SIZE("ProxyIOBufferSize"),
    TIMEOUT("Timeout"),
    REWRITE_ENGINE("RewriteEngine"),
    REWRITE_COND("RewriteCond"),
    REWRITE_RULE("RewriteRule"),
    REWRITE_BASE("RewriteBase"),
    REWRITE_MAP("RewriteMap"),
    REWRITE_OPTIONS("RewriteOptions"),
    ALIAS("Alias"),
    ALIAS_MATCH("AliasMatch"),
    REDIRECT("Redirect"),
    REDIRECT_MATCH("RedirectMatch"),
    REDIRECT_PERMANENT("RedirectPermanent"),
    REDIRECT_TEMP("RedirectTemp"),
    DOCUMENT_ROOT("DocumentRoot"),
    DIRECTORY_INDEX("DirectoryIndex"),
    FALLBACK_RESOURCE("FallbackResource"),
    CUSTOM_LOG("CustomLog"),
    TRANSFER_LOG("TransferLog"),
    LOG_FORMAT("LogFormat"),
    ERROR_LOG("ErrorLog"),
    LOG_LEVEL("LogLevel"),
    SSL_ENGINE("SSLEngine"),
    SSL_CERTIFICATE_FILE("SSLCertificateFile"),
    SSL_CERTIFICATE_KEY_FILE("SSLCertificateKeyFile"),
    SSL_VERIFY_CLIENT("SSLVerifyClient"),
    SSL_VERIFY_DEPTH("SSLVerifyDepth"),
    SSLCA_CERTIFICATE_FILE("SSLCACertificateFile"),
    SSLCA_CERTIFICATE_PATH("SSLCACertificatePath"),
    SSLCADN_REQUEST_FILE("SSLCADNRequestFile"),
    SSLCADN_REQUEST_PATH("SSLCADNRequestPath"),
    SSLCA_REVOCATION_FILE("SSLCARevocationFile"),
    SSLCA_REVOCATION_PATH("SSLCARevocationPath"),
    SSLCA_REVOCATION_CHECK("SSLCARevocationCheck"),
    SSL_OCSP_ENABLE("SSLOCSPEnable"),
    SSL_PROTOCOL("SSLProtocol"),
    SSL_PROXY_ENGINE("SSLProxyEngine"),
    SSL_PROXY_VERIFY("SSLProxyVerify"),
    SSL_PROXY_CA("SSLProxyCACertificateFile"),
    REQUIRE("Require"),
    REQUIRE_ALL("RequireAll"),
    REQUIRE_ANY("RequireAny"),
    REQUIRE_NONE("RequireNone"),
    SSL_REQUIRE_SSL("SSLRequireSSL"),
    SSL_USER_NAME("SSLUserName"),
    ORDER("Order"),
    ALLOW("Allow"),
    DENY("Deny"),
    SATISFY("Satisfy"),
    AUTH_MERGING("AuthMerging"),
    AUTH_TYPE("AuthType"),
    AUTH_NAME("AuthName"),
    AUTH_USER_FILE("AuthUserFile"),
    AUTH_GROUP_FILE("AuthGroupFile"),
    AUTH_BASIC_PROVIDER("AuthBasicProvider"),
    AUTH_BASIC_AUTHORITATIVE("AuthBasicAuthoritative"),
    AUTHZ_SEND_FORBIDDEN("AuthzSendForbiddenOnFailure"),
    ALLOW_METHODS("AllowMethods"),
    LIMIT_REQUEST_BODY("LimitRequestBody"),
    OPTIONS("Options"),
    ALLOW_OVERRIDE("AllowOverride"),
    ALLOW_OVERRIDE_LIST("AllowOverrideList"),
    ACCESS_FILE_NAME("AccessFileName"),
    ADD_HANDLER("AddHandler"),
    ADD_TYPE("AddType"),
    REMOVE_HANDLER("RemoveHandler"),
    REMOVE_TYPE("RemoveType"),
    FORCE_TYPE("ForceType"),
    SCRIPT_ALIAS("ScriptAlias"),
    SCRIPT_ALIAS_MATCH("ScriptAliasMatch"),
    SET_ENV("SetEnv"),
    SET_ENV_IF("SetEnvIf"),
    SET_ENV_IF_NO_CASE("SetEnvIfNoCase"),
    SET_ENV_IF_EXPR("SetEnvIfExpr"),
    PASS_ENV("PassEnv"),
    UNSET_ENV("UnsetEnv"),
    BROWSER_MATCH("BrowserMatch"),
    BROWSER_MATCH_NO_CASE("BrowserMatchNoCase"),
    HEADER("Header"),
    REQUEST_HEADER("RequestHeader"),
    ERROR_DOCUMENT("ErrorDocument"),
    SET_OUTPUT_FILTER("SetOutputFilter"),
    ADD_OUTPUT_FILTER("AddOutputFilter"),
    ADD_OUTPUT_FILTER_BY_TYPE("AddOutputFilterByType"),
    DEFLATE_COMPRESSION_LEVEL("DeflateCompressionLevel"),
    DEFLATE_ALTER_E_TAG("DeflateAlterETag"),
    EXPIRES_ACTIVE("ExpiresActive"),
    EXPIRES_DEFAULT("ExpiresDefault"),
    EXPIRES_BY_TYPE("ExpiresByType"),
    SET_HANDLER("SetHandler"),
    REMOTE_IP_HEADER("RemoteIPHeader"),
    REMOTE_IP_TRUSTED_PROXY("RemoteIPTrustedProxy"),
    REMOTE_IP_INTERNAL_PROXY("RemoteIPInternalProxy"),
    REMOTE_IP_TRUSTED_PROXY_LIST("RemoteIPTrustedProxyList"),
    REMOTE_IP_INTERNAL_PROXY_LIST("RemoteIPInternalProxyList"),
    REMOTE_IP_PROXIES_HEADER("RemoteIPProxiesHeader"),
    KEEP_ALIVE("KeepAlive"),
    KEEP_ALIVE_TIMEOUT("KeepAliveTimeout"),
    MAX_KEEP_ALIVE_REQUESTS("MaxKeepAliveRequests"),
    LIMIT_REQUEST_LINE("LimitRequestLine"),
    LIMIT_REQUEST_FIELD_SIZE("LimitRequestFieldSize"),
    LIMIT_REQUEST_FIELDS("LimitRequestFields"),
    REQUEST_READ_TIMEOUT("RequestReadTimeout"),
    TRACE_ENABLE("TraceEnable"),
    ALLOW_ENCODED_SLASHES("AllowEncodedSlashes");

    /// Those that say who is let in.
    public static final Set<HttpdDirective> ACCESS =
            Collections.unmodifiableSet(
                    EnumSet.of(
                            REQUIRE,
                            REQUIRE_ALL,
                            REQUIRE_ANY,
                            REQUIRE_NONE,
                            ORDER,
                            ALLOW,
                            DENY,
                            SATISFY,
                            AUTH_MERGING,
                            AUTH_TYPE,
                            AUTH_NAME,
                            AUTH_USER_FILE,
                            AUTH_GROUP_FILE,
                            AUTH_BASIC_PROVIDER,
                            AUTH_BASIC_AUTHORITATIVE,
                            AUTHZ_SEND_FORBIDDEN,
                            ALLOW_METHODS,
                            SSL_REQUIRE_SSL,
                            SSL_USER_NAME));

    private static final Map<String, HttpdDirective> BY_KEY = new HashMap<>();

    static {
        for (HttpdDirective directive : values()) {
            BY_KEY.put(directive.word.toLowerCase(Locale.ROOT), directive);
        }
    }

    private final String word;

    HttpdDirective(String word) {
        this.word = word;
    }

    /// The directive of that name, in whatever case, or null.
    public static @Nullable HttpdDirective of(String name) {
        return BY_KEY.get(name.toLowerCase(Locale.ROOT));
    }

    /// As it is usually written.
    public String word() {
        return word;
    }
}
