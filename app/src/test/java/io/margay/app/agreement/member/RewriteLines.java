package io.margay.app.agreement.member;

import java.util.List;

/// Rules of mod_rewrite, in the host and in folders. Stateless.
final class RewriteLines {
    private static final List<List<String>> OF_HOST =
            List.of(
                    List.of(
                            "RewriteRule ^/go/(.*)$ http://@HTTP@/gone/$1 [P]",
                            "/go/x y",
                            "/go/x",
                            "/go/a%20b?c=d"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ http://@HTTP@/$1 [P,L,QSA]",
                            "/go/x?y=z",
                            "/go/"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ http://@HTTP@/q?path=$1 [P,QSA]",
                            "/go/x?y=z",
                            "/go/a&b=c"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ http://@HTTP@/q?path=$1 [P,B,QSA]",
                            "/go/a&b=c?d",
                            "/go/%C3%A4"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ ajp://@AJP@/app/$1 [P]",
                            "/go/x?q",
                            "/go/a%20b"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ /app/$1 [PT]",
                            "/go/x",
                            "/go/a%20b?c",
                            "/go/x.php"),
                    List.of("RewriteRule ^/go/(.*)$ /app/$1 [PT,QSA,E=foo:$1]", "/go/x?y", "/go/z"),
                    List.of("RewriteRule ^/go/(.*)$ /app/$1?g=$1 [PT]", "/go/x?y", "/go/z"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ /$1 [L]",
                            "/go/a.txt",
                            "/go/sub/",
                            "/go/x.php?q=1",
                            "/go/none"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ /sub/$1 [L,E=bar:%{HTTP:X-One}]",
                            "/go/f.txt", "/go/y.php"),
                    List.of("RewriteRule ^/go/(.*)$ /new/$1 [R=301,L]", "/go/x?y", "/go/a%20b"),
                    List.of("RewriteRule ^/go/(.*)$ /new/$1 [R,NE]", "/go/x%23y", "/go/a%20b"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ https://other.example/$1 [R=302,QSA]",
                            "/go/x?y=z"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ https://other.example/$1?a=b [R=307,QSA]",
                            "/go/x?y=z"),
                    List.of("RewriteRule ^/go/(.*)$ /new/$1? [R]", "/go/x?y=z"),
                    List.of("RewriteRule ^/go/(.*)$ /new/$1 [R,QSD]", "/go/x?y=z"),
                    List.of("RewriteRule ^/go - [F]", "/go/x", "/gone"),
                    List.of("RewriteRule ^/go - [G]", "/go/x"),
                    List.of("RewriteRule .* - [E=foo:%{REMOTE_ADDR}]", "/a.txt", "/app/x"),
                    List.of(
                            "RewriteRule ^/(.*)$ - [E=bar:p$1,E=foo:q%{QUERY_STRING}]",
                            "/app/x?a=b", "/a.txt"),
                    List.of(
                            "RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]",
                            "/x.php", "/app/x"),
                    List.of(
                            "RewriteCond %{HTTP:X-One} ^(o)ne$\n"
                                    + "RewriteRule ^/(.*)$ /app/%1/$1 [PT]",
                            "/x", "/a.txt"),
                    List.of(
                            "RewriteCond %{DOCUMENT_ROOT}%{REQUEST_URI} !-f\n"
                                    + "RewriteRule ^/ /index.html [L]",
                            "/a.txt", "/deep/link"),
                    List.of(
                            "RewriteCond %{DOCUMENT_ROOT}%{REQUEST_URI} !-f\n"
                                    + "RewriteRule ^/(.*)$ http://@HTTP@/fall/$1 [P]",
                            "/a.txt", "/deep/link?x=y"),
                    List.of(
                            "RewriteCond %{HTTP_HOST} ^www\\.(.*)$ [NC]\n"
                                    + "RewriteRule ^ https://%1%{REQUEST_URI} [R=301,L]",
                            "/a.txt"),
                    List.of(
                            "RewriteCond %{QUERY_STRING} (?:^|&)id=(\\d+)\n"
                                    + "RewriteRule ^/go$ /app/%1? [PT]",
                            "/go?id=12&x", "/go?id=x"),
                    List.of(
                            "RewriteCond %{HTTP_COOKIE} a=(\\w+)\n"
                                    + "RewriteRule ^/app/(.*) /app/%1/$1 [PT]",
                            "/app/x", "/app/y"),
                    List.of(
                            "RewriteCond %{REQUEST_METHOD} ^(PUT|DELETE)$\nRewriteRule .* - [F]",
                            "/app/x"),
                    List.of(
                            "RewriteRule ^/go/(\\d+)$ /app/n$1 [PT]\n"
                                    + "RewriteRule ^/app/n(.*) /app/m$1 [PT]",
                            "/go/12"),
                    List.of(
                            "RewriteRule ^/go/(.*)\\.html$ /app/$1.jsp [NC,PT]",
                            "/GO/x.HTML",
                            "/go/y.html"),
                    List.of(
                            "RewriteRule ^/go/(.*)$ /app/$1 [PT,L]\n"
                                    + "RewriteRule ^/app/ - [E=foo:second]",
                            "/go/x",
                            "/app/x"));

    private static final List<List<String>> OF_FOLDER =
            List.of(
                    List.of(
                            "RewriteCond %{REQUEST_FILENAME} !-f\n"
                                    + "RewriteRule ^(.*)$ index.html [L]",
                            "/deep/x", "/a.txt"),
                    List.of(
                            "RewriteCond %{REQUEST_FILENAME} !-f\n"
                                    + "RewriteCond %{REQUEST_FILENAME} !-d\n"
                                    + "RewriteRule . /x.php [L]",
                            "/deep/x?y=z", "/sub/"),
                    List.of("RewriteRule ^old/(.*)$ /sub/$1 [L]", "/old/f.txt", "/old/y.php?q=1"),
                    List.of(
                            "RewriteRule ^old/(.*)$ sub/$1 [L,E=foo:$1]",
                            "/old/f.txt",
                            "/old/y.php"),
                    List.of("RewriteRule ^old/(.*)$ /new/$1 [R=301,L]", "/old/x?y"),
                    List.of(
                            "RewriteRule ^old/(.*)$ https://other.example/$1 [R,L,QSD]",
                            "/old/x?y"),
                    List.of("RewriteRule \\.txt$ - [F]", "/a.txt", "/sub/f.txt", "/sub/"),
                    List.of("RewriteRule ^(.*)$ - [E=bar:p$1]", "/x.php", "/a.txt", "/sub/y.php"),
                    List.of(
                            "RewriteBase /\n"
                                    + "RewriteRule ^index\\.php$ - [L]\n"
                                    + "RewriteCond %{REQUEST_FILENAME} !-f\n"
                                    + "RewriteRule . /x.php [L,QSA]",
                            "/deep?x=y", "/index.php"),
                    List.of(
                            "RewriteCond %{ENV:REDIRECT_STATUS} ^$\n"
                                    + "RewriteRule ^sub/(.*)$ up/$1 [L]",
                            "/sub/u.html", "/sub/f.txt"),
                    List.of(
                            "RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]",
                            "/x.php", "/a.txt"));

    private RewriteLines() {}

    static void ofHost(Draft draft) {
        draft.add("RewriteEngine On");
        int count = draft.upTo(2);
        for (int i = 0; i < count; i++) {
            take(draft, draft.any(OF_HOST));
        }
    }

    static void ofFolder(Draft draft) {
        List<String> rule = draft.any(OF_FOLDER);
        String text = "RewriteEngine On\n" + rule.getFirst();
        if (draft.one(2)) {
            draft.files().merge(".htaccess", text + "\n", String::concat);
        } else {
            draft.add("<Directory \"@DIR@\">\n" + text.indent(2) + "</Directory>");
        }
        draft.targets(rule.subList(1, rule.size()).toArray(String[]::new));
    }

    private static void take(Draft draft, List<String> rule) {
        draft.add(rule.getFirst());
        draft.targets(rule.subList(1, rule.size()).toArray(String[]::new));
    }
}
