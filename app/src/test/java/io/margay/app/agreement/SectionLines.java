package io.margay.app.agreement;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// The lines of sections, made by chance. Confined to one thread.
final class SectionLines {
    static final List<String> REDIRECTS =
            List.of(
                    "Redirect 403 /private",
                    "RedirectMatch 404 \"/\\.git\"",
                    "RedirectMatch 403 \"\\.(bak|conf)$\"",
                    "Redirect gone /notes.bak",
                    "Redirect 302 /portal http://other.example/");

    static final List<String> PASSES =
            List.of(
                    "ProxyPass /app http://127.0.0.1:@PEER@/",
                    "ProxyPass /app/private !\nProxyPass /app http://127.0.0.1:@PEER@/app",
                    "ProxyPassMatch ^/app/(.*)$ http://127.0.0.1:@PEER@/$1",
                    "<Location /app>\n  ProxyPass http://127.0.0.1:@PEER@/\n</Location>",
                    "RewriteEngine On\nRewriteRule ^/app/(.*)$ http://127.0.0.1:@PEER@/$1 [P]");

    static final List<String> ERROR_DOCUMENTS =
            List.of(
                    "ErrorDocument 403 /private/index.html",
                    "ErrorDocument 403 /a.txt",
                    "ErrorDocument 404 /pub/f.txt",
                    "ErrorDocument 404 /notes.bak",
                    "ErrorDocument 404 /al/o.txt",
                    "ErrorDocument 410 /private/s.txt",
                    "ErrorDocument 405 /private/deep/d.txt");

    private static final List<String> REQUIREMENTS =
            List.of(
                    "all granted",
                    "all granted",
                    "all denied",
                    "all denied",
                    "ip 127.0.0.1",
                    "ip 127.0.0.2",
                    "ip 127.0.0.0/30",
                    "ip 10 127.0.0.3",
                    "local",
                    "env allowed",
                    "method GET",
                    "method POST HEAD",
                    "expr \"%{REQUEST_METHOD} == 'GET'\"",
                    "expr \"%{HTTP:X-Key} == 'k'\"",
                    "expr \"%{REQUEST_URI} =~ m#^/private#\"",
                    "expr \"! -R '127.0.0.2'\"");

    private static final List<String> NEGATIVE =
            List.of("ip 127.0.0.2", "ip 127.0.0.1", "env bad", "env denied", "method POST");

    private static final List<String> WHO =
            List.of(
                    "all",
                    "all",
                    "127.0.0.1",
                    "127.0.0.2",
                    "127.0.0.0/30",
                    "10",
                    "env=allowed",
                    "env=bad",
                    "env=denied",
                    "env=!allowed");

    private static final List<String> SECTIONS =
            List.of(
                    "Directory \"@DIR@/www\"",
                    "Directory \"@DIR@/www\"",
                    "Directory \"@DIR@/www/private\"",
                    "Directory \"@DIR@/www/private\"",
                    "Directory \"@DIR@/www/private/\"",
                    "Directory \"@DIR@/www/private/deep\"",
                    "Directory \"@DIR@/www/*\"",
                    "Directory \"@DIR@/www/p*\"",
                    "Directory \"@DIR@/*/private\"",
                    "Directory \"@DIR@/www/?rivate\"",
                    "Directory \"@DIR@/other\"",
                    "Directory \"@DIR@/other/private\"",
                    "Directory /",
                    "Directory ~ \"/www/p\"",
                    "DirectoryMatch \"/\\.git\"",
                    "DirectoryMatch \"^@DIR@/www/(private|pub)/\"",
                    "DirectoryMatch \"/private$\"",
                    "DirectoryMatch \"/deep\"",
                    "DirectoryMatch \"(?i)/PRIVATE\"",
                    "Files \"s.txt\"",
                    "Files \"*.bak\"",
                    "Files \".git*\"",
                    "Files \"config.*\"",
                    "Files \"?.txt\"",
                    "Files \"index.html\"",
                    "Files \"y\"",
                    "Files ~ \"\\.bak$\"",
                    "FilesMatch \"\\.(inc|bak)$|^(composer\\.json|\\.gitignore)$\"",
                    "FilesMatch \"^\\.\"",
                    "FilesMatch \"(^\\.ht|~$)\"",
                    "FilesMatch \"^[st]\"",
                    "FilesMatch \"\\.(?:php|cgi)$\"",
                    "Location /",
                    "Location /private",
                    "Location /private",
                    "Location /private/",
                    "Location /private/*",
                    "Location /p*",
                    "Location /pub",
                    "Location /app",
                    "Location /app/private",
                    "Location /al",
                    "Location /private/s.txt",
                    "Location /?rivate",
                    "Location /portal",
                    "Location /*/deep",
                    "Location ~ \"/private\"",
                    "LocationMatch \"^/private\"",
                    "LocationMatch \"/deep/\"",
                    "LocationMatch \"\\.bak$\"",
                    "LocationMatch \"^/(pub|app)/\"",
                    "LocationMatch \"(?i)^/PRIVATE\"",
                    "LocationMatch \"^/$\"",
                    "Proxy *",
                    "Proxy \"http://127.0.0.1:@PEER@/*\"",
                    "Proxy \"http://127.0.0.1:@PEER@/private*\"",
                    "ProxyMatch \"^http://.*private\"");

    private static final List<String> EXPRESSIONS =
            List.of(
                    "%{REQUEST_METHOD} == 'POST'",
                    "%{HTTP:X-Key} == 'k'",
                    "%{REQUEST_URI} =~ m#/private#",
                    "-n %{HTTP:X-Deny}",
                    "%{QUERY_STRING} =~ /q=1/",
                    "%{REMOTE_ADDR} == '127.0.0.2'",
                    "-R '127.0.0.2'",
                    "! -R '127.0.0.0/30'");

    private static final List<String> CONDITIONS =
            List.of(
                    "%{REMOTE_ADDR} !=127.0.0.1",
                    "%{HTTP:X-Key} !^k$",
                    "%{REQUEST_METHOD} ^(TRACE|DELETE|POST)$",
                    "%{HTTP_HOST} ^b\\.",
                    "%{REQUEST_URI} !^/pub",
                    "%{REQUEST_URI} ^/private [OR]",
                    "%{QUERY_STRING} q=1",
                    "%{HTTP_USER_AGENT} badbot [NC]",
                    "%{ENV:allowed} =1",
                    "expr \"%{REQUEST_METHOD} == 'POST'\"");

    private static final List<String> RULES =
            List.of(
                    "^/portal/(.*)$ /$1 [PT,L]",
                    "^/portal/(.*)$ /$1 [PT]",
                    "^/portal/(.*)$ /$1 [PT,L]",
                    "^/go/(.*)$ /$1 [PT]",
                    "^/go/(.*)$ /$1 [L]",
                    "\\.bak$ - [F]",
                    "^/private - [F,L]",
                    "^/private - [F]",
                    "/\\.git - [F]",
                    "^/notes - [G]",
                    "^/PRIVATE - [NC,F]",
                    "!^/(pub|app|a\\.txt|index\\.html|portal|$) - [F]",
                    "^/private - [R=404]",
                    "^/pub/f - [E=allowed:1]",
                    "^/pub - [L]",
                    "^ - [F]",
                    "^/config - [S=1]");

    private static final List<String> FILE_CONDITIONS =
            List.of(
                    "%{REQUEST_FILENAME} -f",
                    "%{REQUEST_FILENAME} !-f",
                    "%{REQUEST_FILENAME} -d [OR]",
                    "%{REQUEST_FILENAME} !-d",
                    "%{SCRIPT_FILENAME} -s",
                    "%{SCRIPT_FILENAME} -l",
                    "%{REQUEST_FILENAME} deep",
                    "%{REQUEST_FILENAME} !/private/[st]",
                    "%{DOCUMENT_ROOT}/a.txt -f",
                    "%{DOCUMENT_ROOT}/closed !-f",
                    "%{DOCUMENT_ROOT}%{REQUEST_URI} -f");

    private static final List<String> PAGES =
            List.of(
                    "DirectoryIndex s.txt f.txt index.html",
                    "DirectoryIndex none.html s.txt",
                    "DirectoryIndex /private/s.txt",
                    "DirectoryIndex disabled",
                    "FallbackResource /pub/f.txt",
                    "FallbackResource /private/s.txt",
                    "FallbackResource s.txt",
                    "FallbackResource disabled",
                    "DirectoryIndex disabled\nFallbackResource /a.txt",
                    "DirectoryIndex x.html\nFallbackResource /private/deep/d.txt");

    private static final List<String> RULES_OF_SECTIONS =
            List.of(
                    "\\.bak$ - [F]",
                    "^ - [F]",
                    "s\\.txt$ - [F]",
                    "private - [F,L]",
                    "txt$ - [G]",
                    "!txt$ - [F]",
                    "^d - [R=404]",
                    "^$ - [F]",
                    "^(pub|deep|f) - [L]",
                    "txt$ - [S=1]",
                    "!^(s|f) - [C]",
                    "\\.txt$ - [C]",
                    "^ - [C,S=2]",
                    "^ - [E=seen:1]");

    private final RandomGenerator chance;

    /// Of its own, so that what one seed makes besides stays the same.
    private final RandomGenerator chanceOfPages;

    private final UserLines users;

    SectionLines(RandomGenerator chance, RandomGenerator chanceOfPages, UserLines users) {
        this.users = users;
        this.chance = chance;
        this.chanceOfPages = chanceOfPages;
    }

    private <T> T one(List<T> all) {
        return AccessProbes.one(chance, all);
    }

    private List<String> pages() {
        return AccessProbes.one(chanceOfPages, PAGES).lines().toList();
    }

    private static List<String> within(String head, List<String> body) {
        List<String> lines = new ArrayList<>();
        lines.add("<" + head + ">");
        body.forEach(line -> lines.add("  " + line));
        lines.add("</" + head.split(" ")[0] + ">");
        return lines;
    }

    /// A section, or now and then a condition, with others in it.
    ///
    /// @param depth how deep they may stand in one another
    List<String> section(int depth) {
        if (chance.nextInt(9) == 0) {
            return conditional(depth);
        }
        String head = one(SECTIONS);
        boolean proxy = head.startsWith("Proxy");
        boolean location = head.startsWith("Location");
        boolean folder = head.startsWith("Directory");
        List<String> body = new ArrayList<>();
        if (chance.nextInt(4) == 0) {
            body.add("AuthMerging " + one(List.of("And", "Or", "Off")));
        }
        body.addAll(users.logins());
        body.addAll(limits(!proxy));
        if (folder && depth > 1 && chance.nextInt(4) == 0) {
            String file = one(SECTIONS);
            if (file.startsWith("Files")) {
                body.addAll(within(file, limits(true)));
            }
        }
        if (location && depth > 1 && chance.nextInt(8) == 0) {
            body.addAll(within("If \"" + one(EXPRESSIONS) + "\"", required()));
        }
        if ((folder || location) && chance.nextInt(10) == 0) {
            body.addAll(rewriteHere());
        }
        if (!proxy && chanceOfPages.nextInt(6) == 0) {
            body.addAll(pages());
        }
        if (!proxy && chance.nextInt(16) == 0) {
            body.add("AllowMethods " + one(List.of("GET", "GET POST", "reset")));
        }
        if (!proxy && chance.nextInt(30) == 0) {
            body.add("LimitRequestBody 10");
        }
        if (folder && chance.nextInt(16) == 0) {
            body.add("Options " + one(List.of("None", "FollowSymLinks", "-FollowSymLinks")));
        }
        if (folder && chance.nextInt(20) == 0) {
            body.add(one(List.of("AddHandler cgi-script .cgi", "SetHandler cgi-script")));
        }
        return within(head, body);
    }

    private List<String> conditional(int depth) {
        List<String> lines = new ArrayList<>();
        boolean methods = chance.nextInt(6) == 0;
        lines.addAll(within("If \"" + one(EXPRESSIONS) + "\"", limits(methods)));
        if (depth > 1 && chance.nextInt(3) == 0) {
            lines.addAll(within("ElseIf \"" + one(EXPRESSIONS) + "\"", limits(false)));
        }
        if (chance.nextInt(3) == 0) {
            lines.addAll(within("Else", limits(false)));
        }
        return lines;
    }

    /// What a `.htaccess` says.
    List<String> ofFile() {
        List<String> lines = new ArrayList<>(users.logins());
        lines.addAll(limits(true));
        if (chanceOfPages.nextInt(5) == 0) {
            lines.addAll(pages());
        }
        if (chance.nextInt(3) == 0) {
            String file = one(SECTIONS);
            if (file.startsWith("Files")) {
                lines.addAll(within(file, limits(true)));
            }
        }
        if (chance.nextInt(3) == 0) {
            lines.addAll(rewriteHere());
        }
        return lines;
    }

    /// Rules of a section or of a file in a folder.
    private List<String> rewriteHere() {
        List<String> lines = new ArrayList<>();
        if (chance.nextInt(8) > 0) {
            lines.add("RewriteEngine " + (chance.nextInt(12) == 0 ? "Off" : "On"));
        }
        int count = 1 + chance.nextInt(4);
        for (int i = 0; i < count; i++) {
            int conditions = chance.nextInt(3);
            for (int k = 0; k < conditions; k++) {
                boolean ofFile = chance.nextInt(3) > 0;
                lines.add("RewriteCond " + one(ofFile ? FILE_CONDITIONS : CONDITIONS));
            }
            lines.add("RewriteRule " + one(RULES_OF_SECTIONS));
        }
        return lines;
    }

    /// Who is let in, in the words of 2.4, of 2.2, or of both.
    private List<String> limits(boolean methods) {
        List<String> lines = new ArrayList<>();
        switch (chance.nextInt(10)) {
            case 0, 1, 2, 3, 4 -> lines.addAll(required());
            case 5, 6, 7 -> lines.addAll(ordered());
            case 8 -> {
                lines.addAll(required());
                lines.addAll(ordered());
            }
            default -> {
                if (!methods) {
                    return required();
                }
                String head =
                        one(List.of("Limit", "LimitExcept"))
                                + " "
                                + one(List.of("GET", "POST", "GET POST", "PUT DELETE", "FOO"));
                lines.addAll(within(head, chance.nextBoolean() ? required() : ordered()));
                if (chance.nextInt(3) == 0) {
                    lines.addAll(chance.nextBoolean() ? required() : ordered());
                }
            }
        }
        return lines;
    }

    private String requirement() {
        return users.requirement(one(REQUIREMENTS));
    }

    private List<String> required() {
        List<String> lines = new ArrayList<>();
        switch (chance.nextInt(8)) {
            case 0, 1, 2, 3 -> lines.add("Require " + requirement());
            case 4 -> {
                lines.add("Require " + requirement());
                lines.add("Require " + requirement());
            }
            case 5 -> lines.addAll(within("RequireAll", all()));
            case 6 ->
                    lines.addAll(
                            within(
                                    "RequireAny",
                                    List.of(
                                            "Require " + requirement(),
                                            "Require " + requirement())));
            default -> {
                List<String> body = new ArrayList<>(List.of("Require " + requirement()));
                body.addAll(within("RequireAll", all()));
                lines.addAll(within("RequireAny", body));
            }
        }
        return lines;
    }

    private List<String> all() {
        List<String> body = new ArrayList<>(List.of("Require " + requirement()));
        if (chance.nextInt(3) == 0) {
            body.addAll(within("RequireNone", List.of("Require " + users.negative(one(NEGATIVE)))));
        } else {
            body.add("Require not " + users.negative(one(NEGATIVE)));
        }
        return body;
    }

    private List<String> ordered() {
        List<String> lines = new ArrayList<>();
        if (chance.nextInt(6) > 0) {
            lines.add("Order " + one(List.of("Allow,Deny", "Deny,Allow", "deny,allow")));
        }
        int count = 1 + chance.nextInt(2);
        for (int i = 0; i < count; i++) {
            lines.add(one(List.of("Allow from ", "Deny from ")) + one(WHO));
        }
        if (chance.nextInt(5) == 0) {
            lines.add("Satisfy " + one(List.of("Any", "All")));
        }
        return lines;
    }

    /// Rules of a server with their conditions.
    List<String> rewrite() {
        List<String> lines = new ArrayList<>();
        String rule = one(RULES);
        int count = rule.startsWith("^ ") ? 1 + chance.nextInt(2) : chance.nextInt(3);
        for (int i = 0; i < count; i++) {
            String condition = one(CONDITIONS);
            boolean last = i == count - 1;
            lines.add("RewriteCond " + (last ? condition.replace(" [OR]", "") : condition));
        }
        if (chance.nextInt(8) == 0) {
            lines.add("RewriteCond " + one(FILE_CONDITIONS).replace(" [OR]", ""));
        }
        lines.add("RewriteRule " + rule);
        return lines;
    }

    /// What TLS asks of requests.
    List<String> tls() {
        return switch (chance.nextInt(8)) {
            case 0 -> within("Location /private", List.of("SSLRequireSSL"));
            case 1 -> within("Location /private", List.of("Require ssl"));
            case 2 ->
                    within(
                            "Location /private",
                            List.of("Require expr \"%{SSL_CLIENT_VERIFY} == 'SUCCESS'\""));
            case 3 ->
                    within(
                            "Location /private",
                            List.of("Require expr \"%{SSL_CLIENT_S_DN_CN} == 'first'\""));
            case 4 -> within("Location /private", List.of("SSLVerifyClient require"));
            case 5 -> within("Location /private", List.of("Require ssl-verify-client"));
            case 6 ->
                    within(
                            "Location /private",
                            List.of("SSLUserName SSL_CLIENT_S_DN_CN", "Require user first"));
            default -> List.of();
        };
    }
}
