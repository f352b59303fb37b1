package io.margay.app.agreement.member;

import java.util.List;

/// What else a host may say. Stateless.
final class HostLines {
    private static final List<List<String>> OTHERS =
            List.of(
                    List.of("ProxyPreserveHost On", "/app/x"),
                    List.of("ProxyPreserveHost On", "/app/x"),
                    List.of("ProxyAddHeaders Off", "/app/x"),
                    List.of("ProxyVia On", "/app/x"),
                    List.of("ProxyVia Full", "/app/x"),
                    List.of("ProxyVia Block", "/app/x"),
                    List.of(
                            "RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 127.0.0.0/8",
                            "/app/x",
                            "/x.php"),
                    List.of(
                            "RemoteIPHeader X-Real-IP\nRemoteIPTrustedProxy 127.0.0.1",
                            "/app/x",
                            "/x.php"),
                    List.of(
                            "RemoteIPHeader X-Forwarded-For\n"
                                    + "RemoteIPInternalProxy 127.0.0.1\n"
                                    + "RemoteIPProxiesHeader X-Via-Ip",
                            "/app/x",
                            "/x.php"),
                    List.of(
                            "ExpiresActive On\nExpiresDefault \"access plus 1 hour\"",
                            "/a.txt",
                            "/app/x"),
                    List.of(
                            "ExpiresActive On\n"
                                    + "ExpiresByType text/html \"access\"\n"
                                    + "ExpiresByType text/css A600",
                            "/page.html",
                            "/style.css",
                            "/app/x"),
                    List.of("ErrorDocument 404 \"gone away\"", "/none", "/app/x"),
                    List.of("ErrorDocument 404 /err/404.html", "/none", "/app/x"),
                    List.of(
                            "ErrorDocument 404 /x.php?lost=1\nErrorDocument 500 /err/500.html",
                            "/none",
                            "/app/x"),
                    List.of("ErrorDocument 404 http://other.example/lost", "/none"),
                    List.of("ErrorDocument 404 /app/missing", "/none", "/sub/none"),
                    List.of("ProxyErrorOverride On", "/app/x", "/app/y"),
                    List.of(
                            "ProxyErrorOverride On 404 500\nErrorDocument 404 /err/404.html",
                            "/app/x",
                            "/app/y"),
                    List.of("AddType application/x-thing .txt", "/a.txt", "/sub/f.txt"),
                    List.of("AddDefaultCharset utf-8", "/a.txt", "/page.html", "/app/x", "/x.php"),
                    List.of("AddCharset iso-8859-1 .html", "/page.html", "/"),
                    List.of(
                            "<Directory \"@DIR@/up\">\n  ForceType text/plain\n</Directory>",
                            "/up/u.html"),
                    List.of(
                            "Alias /al \"@DIR@/alias\"",
                            "/al/o.txt",
                            "/al/",
                            "/al",
                            "/al/z.php",
                            "/alx"),
                    List.of("Alias /al/ \"@DIR@/alias/\"", "/al/o.txt", "/al/", "/al"),
                    List.of("AliasMatch ^/am/(.*)$ \"@DIR@/alias/$1\"", "/am/o.txt", "/am/z.php/i"),
                    List.of("DirectoryIndex f.txt index.html", "/", "/sub/"),
                    List.of(
                            "DirectoryIndex index.php y.php x.php index.html",
                            "/",
                            "/sub/",
                            "/sub/?a=b"),
                    List.of("DirectoryIndex disabled", "/", "/sub/"),
                    List.of("FallbackResource /index.html", "/deep/link", "/sub/none"),
                    List.of("FallbackResource /x.php", "/deep/link?a=b", "/sub/none/y"),
                    List.of("<Location /app>\n  Require ip 10.0.0.0/8\n</Location>", "/app/x"),
                    List.of("<Location /app>\n  Require method GET HEAD\n</Location>", "/app/x"),
                    List.of(
                            "<Location /app/static>\n  Require all denied\n</Location>",
                            "/app/static/s",
                            "/app/x"),
                    List.of(
                            "<Files \"*.txt\">\n  Require all denied\n</Files>",
                            "/a.txt",
                            "/sub/f.txt"),
                    List.of(
                            "<FilesMatch \"^\\.\">\n  Require all denied\n</FilesMatch>",
                            "/.htaccess",
                            "/.hidden"),
                    List.of(
                            "<Location /app>\n"
                                    + "  AuthType Basic\n"
                                    + "  AuthName \"the app\"\n"
                                    + "  AuthUserFile \"@DIR@/users\"\n"
                                    + "  Require valid-user\n"
                                    + "</Location>",
                            "/app/x",
                            "/app/y"),
                    List.of(
                            "<Directory \"@DIR@/sub\">\n"
                                    + "  AuthType Basic\n"
                                    + "  AuthName sub\n"
                                    + "  AuthUserFile \"@DIR@/users\"\n"
                                    + "  Require user ada\n"
                                    + "</Directory>",
                            "/sub/y.php",
                            "/sub/f.txt"),
                    List.of(
                            "<If \"%{HTTP:X-One} == 'one'\">\n  Require all denied\n</If>",
                            "/app/x", "/a.txt"),
                    List.of(
                            "AddOutputFilterByType DEFLATE text/html text/plain text/css",
                            "/page.html",
                            "/app/x"),
                    List.of(
                            "SetOutputFilter DEFLATE\nSetEnvIf Request_URI \"\\.png$\" no-gzip",
                            "/page.html",
                            "/img.png",
                            "/app/x"),
                    List.of("Redirect 301 /old http://other.example/new", "/old/x?y", "/old"),
                    List.of("Redirect /old /sub", "/old/x?y", "/old", "/old/a%20b"),
                    List.of("RedirectMatch 302 ^/old/(.*)\\.html$ /new/$1", "/old/x.html?y"),
                    List.of("Redirect gone /old", "/old/x"),
                    List.of(
                            "<Location /old>\n"
                                    + "  Redirect http://other.example/%{REQUEST_METHOD}\n"
                                    + "</Location>",
                            "/old"),
                    List.of("AllowEncodedSlashes NoDecode", "/app/a%2Fb", "/app/a%2Fb?c%2Fd"),
                    List.of("AllowEncodedSlashes On", "/app/a%2Fb", "/sub%2Ff.txt"),
                    List.of("LimitRequestBody 5", "/app/x", "/app/y"),
                    List.of("TraceEnable Off", "/app/x"),
                    List.of("<Location />\n  CGIPassAuth On\n</Location>", "/x.php", "/fcgi/x.php"),
                    List.of("UseCanonicalName On", "/sub", "/x.php", "/app/x"),
                    List.of("MergeSlashes Off", "/app//x", "/sub//f.txt"),
                    List.of("AcceptPathInfo Off", "/x.php/more", "/a.txt/more"),
                    List.of("AcceptPathInfo On", "/x.php/more", "/a.txt/more"),
                    List.of(
                            "<Location /app>\n  RequestHeader unset X-One\n</Location>",
                            "/app/x",
                            "/app/y",
                            "/APP/x"),
                    List.of("RequestHeader unset Proxy early", "/app/x", "/x.php"),
                    List.of("ProxyFCGIBackendType GENERIC", "/x.php", "/fcgi/x.php"),
                    List.of("ProxyFCGISetEnvIf \"true\" SCRIPT_FILENAME \"/z\"", "/x.php"),
                    List.of(
                            "<LocationMatch \"^/app/(?<part>[^/]+)\">\n"
                                    + "  RequestHeader set X-Part \"%{MATCH_PART}e\"\n"
                                    + "</LocationMatch>",
                            "/app/x", "/app/y/z"),
                    List.of("FileETag None", "/a.txt"),
                    List.of("Options -FollowSymLinks", "/a.txt", "/app/x"),
                    List.of("<Proxy *>\n  Require all granted\n</Proxy>", "/app/x"),
                    List.of(
                            "<Proxy http://@HTTP@/app*>\n  Require ip 10.1.1.1\n</Proxy>",
                            "/app/x"),
                    List.of("ProxyMaxForwards 3", "/app/x"),
                    List.of("ProxyTimeout 20", "/app/x"));

    private HostLines() {}

    static void add(Draft draft) {
        List<String> other = draft.any(OTHERS);
        draft.add(other.getFirst());
        draft.targets(other.subList(1, other.size()).toArray(String[]::new));
    }
}
