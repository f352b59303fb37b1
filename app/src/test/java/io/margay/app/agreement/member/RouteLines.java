package io.margay.app.agreement.member;

import java.util.List;

/// Which requests go to which member. Stateless.
final class RouteLines {
    /// Each with what asks for it.
    private static final List<List<String>> ROUTES =
            List.of(
                    List.of("ProxyPass /app http://@HTTP@/app"),
                    List.of("ProxyPass /app/ http://@HTTP@/"),
                    List.of("ProxyPass /app http://@HTTP@/inner/deep"),
                    List.of("ProxyPass /app/static !\nProxyPass /app http://@HTTP@/app"),
                    List.of("ProxyPass \"/app\" \"http://@HTTP@/app\" nocanon"),
                    List.of("ProxyPass /app http://@HTTP@/app retry=0 timeout=10 keepalive=On"),
                    List.of("ProxyPass /app/ http://@HTTP@/app/ disablereuse=On"),
                    List.of("ProxyPass /app ajp://@AJP@/app"),
                    List.of("ProxyPass /app/ ajp://@AJP@/inner/ secret=s3cret"),
                    List.of("<Location /app>\n  ProxyPass http://@HTTP@/loc\n</Location>"),
                    List.of("<Location /app/>\n  ProxyPass ajp://@AJP@/app/\n</Location>"),
                    List.of(
                            "<Proxy balancer://@NAME@>\n"
                                    + "  BalancerMember http://@HTTP@ route=r1\n"
                                    + "  ProxySet stickysession=ROUTE|route\n"
                                    + "</Proxy>\n"
                                    + "ProxyPass /app balancer://@NAME@/app"),
                    List.of(
                            "<Proxy balancer://@NAME@>\n"
                                    + "  BalancerMember ajp://@AJP@ route=r1\n"
                                    + "</Proxy>\n"
                                    + "ProxyPass /app balancer://@NAME@/app"
                                    + " stickysession=JSESSIONID|jsessionid"),
                    List.of("JkMount /app jk\nJkMount /app/* jk"),
                    List.of("JkMount /app/* jk\nJkUnMount /app/static/* jk"),
                    List.of("JkMount /*.do jk", "/x.do", "/app/y.do?z=1", "/a%20b.do"),
                    List.of("JkMount /app/* jk\nJkEnvVar foo none\nJkEnvVar bar"),
                    List.of(
                            "ProxyPassMatch ^/m/(.*)$ http://@HTTP@/matched/$1",
                            "/m/x",
                            "/m/a%20b?c"),
                    List.of(
                            "ProxyPassMatch \"^/(\\w+)/x\\.do$\" \"http://@HTTP@/do/$1\"",
                            "/w/x.do"),
                    List.of("ProxyPassMatch ^/m(/.*)?$ ajp://@AJP@/m$1", "/m", "/m/x?y"),
                    List.of("ProxyPassMatch \"^/m/(.*\\.jsp)$\" http://@HTTP@", "/m/x.jsp", "/m/y"),
                    List.of("ProxyPass /fcgi/ fcgi://@FCGI@/srv/www/", "/fcgi/x.php", "/fcgi/"),
                    List.of(
                            "ProxyPassMatch \"^/(.*\\.php(/.*)?)$\" \"fcgi://@FCGI@/srv/www/$1\"",
                            "/x.php",
                            "/x.php/info",
                            "/none.php"),
                    List.of("ProxyPass / http://@HTTP@/", "/", "/a.txt", "/x/y"),
                    List.of("ProxyPass /none !\nProxyPass / ajp://@AJP@/", "/", "/a.txt", "/none"),
                    List.of(
                            "<FilesMatch \"\\.php$\">\n"
                                    + "  SetHandler \"proxy:fcgi://@FCGI@\"\n"
                                    + "</FilesMatch>",
                            "/x.php",
                            "/x.php/info/more?q=1",
                            "/sub/y.php",
                            "/none.php",
                            "/sub/"),
                    List.of("AddHandler \"proxy:fcgi://@FCGI@/\" .php", "/x.php", "/sub/y.php?q"));

    private static final String[] APP = {
        "/app/x",
        "/app",
        "/app/",
        "/app/x?a=b&c=d%20e",
        "/app/a%20b/%C3%A4",
        "/app/x;jsessionid=abc.r1",
        "/app/static/s",
        "/app/%7Euser/a+b"
    };

    private static final String[] ODD = {
        "/app//x", "/app/./y/../z", "/app/x;v=1/y", "/app/x?a=|b", "/app/x%3By", "/app/x%25y",
        "/app/x?", "/app/x?a=%zz", "/app/a%2Cb@c:d", "/app/x%23y?z#w", "/app/x%3Fy", "/app/(x)'*!$&"
    };

    private RouteLines() {}

    static void add(Draft draft) {
        int count = draft.upTo(3);
        for (int i = 0; i < count; i++) {
            List<String> route = draft.any(ROUTES);
            if (draft.lines().stream().noneMatch(route.getFirst()::startsWith)) {
                draft.add(route.getFirst());
                draft.targets(route.subList(1, route.size()).toArray(String[]::new));
                if (route.getFirst().contains("/app")) {
                    draft.targets(APP);
                    draft.targets(draft.any(ODD), draft.any(ODD));
                }
            }
        }
        if (draft.one(2)) {
            reverse(draft);
        }
    }

    private static void reverse(Draft draft) {
        draft.add(
                draft.any(
                        "ProxyPassReverse /app http://@HTTP@/app",
                        "ProxyPassReverse /app/ http://@HTTP@/",
                        "ProxyPassReverse / http://@HTTP@/",
                        "ProxyPassReverse /app ajp://@AJP@/app",
                        "ProxyPassReverse /app http://back.example/app",
                        "ProxyPassReverse /app http://@HTTP@/inner/deep\n"
                                + "ProxyPassReverse /m http://@HTTP@/",
                        "<Location /app>\n  ProxyPassReverse http://@HTTP@/app\n</Location>",
                        "<Location /app>\n  ProxyPassReverse /\n</Location>"));
        if (draft.one(2)) {
            draft.add(
                    draft.any(
                            "ProxyPassReverseCookiePath / /app",
                            "ProxyPassReverseCookiePath /app /",
                            "ProxyPassReverseCookiePath /inner/deep /app",
                            "ProxyPassReverseCookiePath / /",
                            "<Location /app>\n"
                                    + "  ProxyPassReverseCookiePath /inner /app\n"
                                    + "</Location>"));
        }
        if (draft.one(2)) {
            draft.add(
                    draft.any(
                            "ProxyPassReverseCookieDomain back.example front.example",
                            "ProxyPassReverseCookieDomain internal public.example"));
        }
        draft.targets("/app/x", "/app/y", "/app/z");
    }
}
