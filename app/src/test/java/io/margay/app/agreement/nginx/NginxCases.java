package io.margay.app.agreement.nginx;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Servers of nginx, made by chance, and what they are asked. Confined to one thread.
final class NginxCases {
    private static final List<String> PLACES =
            List.of(
                    "/",
                    "/a",
                    "/a/",
                    "/a/b/",
                    "^~ /s/",
                    "= /e",
                    "= /a.txt",
                    "~ \\.(png|txt)$",
                    "~* ^/(r)/(.*)$",
                    "/closed/",
                    "~ ^/u/(?<name>\\w+)",
                    "/rw/",
                    "= /",
                    "^~ /a/b");

    private static final List<String> PATHS =
            List.of(
                    "/",
                    "/a",
                    "/a/",
                    "/a.txt",
                    "/a/x",
                    "/a/b",
                    "/a/b/",
                    "/a/b/c.txt",
                    "/s/",
                    "/s",
                    "/s/a.txt",
                    "/e",
                    "/e/",
                    "/x.png",
                    "/r/one",
                    "/R/two",
                    "/closed/",
                    "/closed/x",
                    "/u/bob",
                    "/u/",
                    "/rw/x?y=1",
                    "/none",
                    "/sub",
                    "/sub/",
                    "/sub/f.txt",
                    "/a/moved",
                    "/a/fail",
                    "/a//b/",
                    "/a/./x",
                    "/a/../e",
                    "/a%2Fb/",
                    "/%61/x",
                    "/a/x%20y",
                    "/a/x%3Fy",
                    "/a/x;p=1",
                    "/closed;x/y",
                    "/a?arg=1",
                    "/index.html",
                    "/page.html.bak",
                    "/b.html.txt",
                    "/style.css",
                    "/plain",
                    "/err.html",
                    "/rw/%2e%2e/e");

    private final Random random;
    private final long seed;
    private int names;

    NginxCases(long seed) {
        this.seed = seed;
        random = new Random(seed);
    }

    /// A request.
    record Probe(String method, String path, boolean user) {}

    /// What a server is asked.
    List<Probe> probes() {
        List<Probe> probes = new ArrayList<>();
        for (String path : PATHS) {
            probes.add(new Probe("GET", path, false));
        }
        for (int i = 0; i < 8; i++) {
            String method = List.of("HEAD", "POST", "DELETE", "OPTIONS").get(random.nextInt(4));
            probes.add(new Probe(method, pick(PATHS), random.nextBoolean()));
        }
        for (int i = 0; i < 6; i++) {
            probes.add(new Probe("GET", pick(PATHS), true));
        }
        return probes;
    }

    private String pick(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /// The text of a server's block; `@MEMBER@` is where the member is, `@FOLDER@` where files are.
    String server() {
        StringBuilder text = new StringBuilder();
        text.append("  server {\n    listen 127.0.0.1:@PORT@;\n    server_name c");
        text.append(seed).append(".example;\n    root @FOLDER@/www;\n");
        if (chance(30)) {
            text.append("    ").append(pick(PAGES)).append('\n');
        }
        if (chance(30)) {
            text.append("    add_header X-Server $server_name always;\n");
        }
        if (chance(15)) {
            text.append("    rewrite ^/none$ /a/x last;\n");
        }
        if (chance(10)) {
            text.append("    if ($request_method = DELETE) { return 405; }\n");
        }
        if (chance(40)) {
            text.append("    ").append(pick(TYPES)).append('\n');
        }
        if (chance(20)) {
            text.append("    ").append(pick(CHARSETS)).append('\n');
        }
        if (chance(15)) {
            text.append("    deny 192.0.2.0/24;\n    allow all;\n");
        }
        if (chance(15) && !shows(text)) {
            text.append("    ").append(pick(LIMITS)).append('\n');
        }
        Set<String> places = new LinkedHashSet<>();
        int count = 2 + random.nextInt(6);
        while (places.size() < count) {
            places.add(pick(PLACES));
        }
        if (places.contains("^~ /a/b")) {
            places.remove("/a/b");
        }
        for (String place : places) {
            text.append("    location ").append(place).append(" {\n");
            body(text, place);
            text.append("    }\n");
        }
        text.append("    location @named { proxy_pass http://@MEMBER@; }\n");
        text.append("    location @other { rewrite ^ /err.html break; }\n");
        return text.append("  }\n").toString();
    }

    private void body(StringBuilder text, String place) {
        boolean regex = place.startsWith("~");
        if (chance(8) && !shows(text)) {
            text.append("      ").append(pick(LIMITS)).append('\n');
        }
        if (chance(20)) {
            text.append("      ").append(pick(ACCESS)).append('\n');
        }
        if (chance(25)) {
            text.append("      add_header X-Place p")
                    .append(names++)
                    .append(chance(50) ? " always" : "")
                    .append(";\n");
        }
        if (chance(10)) {
            text.append("      ").append(pick(SUBSTITUTIONS)).append('\n');
        }
        if (place.equals("/rw/")) {
            text.append("      ").append(pick(REWRITES)).append('\n');
        } else if (chance(8)) {
            text.append("      internal;\n");
        }
        String what = pick(regex ? OF_REGEX : OF_PREFIX);
        if (what.contains("alias") && !place.endsWith("/")) {
            what = "try_files $uri =404;";
        }
        text.append("      ").append(what).append('\n');
    }

    private static final List<String> PAGES =
            List.of(
                    "error_page 404 /err.html;",
                    "error_page 404 /err.html;",
                    "error_page 403 404 405 @named;",
                    "error_page 404 = @named;",
                    "error_page 404 =200 @named; error_page 403 @other;");

    private static final List<String> CHARSETS =
            List.of("charset utf-8;", "charset koi8-r; charset_types image/png text/css;");

    private static final List<String> TYPES =
            List.of(
                    "types { }",
                    "default_type application/octet-stream;",
                    "types { text/css css; text/plain plain bak; } default_type text/html;",
                    "types { } default_type image/gif;");

    /// Whether it has pages for errors, which nginx counts as requests of their own.
    private static boolean shows(StringBuilder text) {
        return text.indexOf("error_page") >= 0;
    }

    /// What comes again within a minute is too much; requests are the same in both.
    private static final List<String> LIMITS =
            List.of(
                    "limit_req zone=paths;",
                    "limit_req zone=paths burst=1 nodelay; limit_req_status 429;",
                    "limit_req zone=methods burst=30 nodelay;",
                    "limit_req zone=paths burst=1 nodelay; limit_req zone=methods burst=9 nodelay;",
                    "limit_req zone=methods; limit_req_dry_run on;",
                    "limit_rate 10m;");

    private static final List<String> ACCESS =
            List.of(
                    "deny all;",
                    "allow 127.0.0.0/8; deny all;",
                    "auth_basic \"x\"; auth_basic_user_file @FOLDER@/users;",
                    "limit_except GET { deny all; }",
                    "satisfy any; deny all; auth_basic \"x\"; auth_basic_user_file @FOLDER@/users;",
                    "auth_basic \"x\"; auth_basic_user_file @FOLDER@/users; allow all;");

    private static final List<String> SUBSTITUTIONS =
            List.of(
                    "sub_filter e x;",
                    "sub_filter 'E' '<b>'; sub_filter_types *; sub_filter_once off;",
                    "sub_filter in out; sub_filter d D; sub_filter_types text/plain;"
                            + " sub_filter_last_modified on;");

    private static final List<String> REWRITES =
            List.of(
                    "rewrite ^/rw/(.*)$ /a/$1 last;",
                    "rewrite ^/rw/(.*)$ /closed/$1 break;",
                    "rewrite ^/rw/(.*)$ /e? redirect;",
                    "rewrite ^/rw/(.*)$ /sub/f.txt;",
                    "if ($arg_y = 1) { return 403; }",
                    "set $where $arg_y; if ($where) { rewrite ^ /a/q?z=$where? last; }");

    private static final List<String> OF_PREFIX =
            List.of(
                    "try_files $uri $uri/ /index.html;",
                    "try_files $uri =404;",
                    "try_files $uri @named;",
                    "proxy_pass http://@MEMBER@;",
                    "proxy_pass http://@MEMBER@/v/;",
                    "proxy_pass http://back/v;",
                    "proxy_pass http://back; proxy_set_header Host $host;"
                            + " proxy_set_header X-Real-IP $remote_addr;"
                            + " proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
                    "proxy_pass http://back; proxy_redirect off;"
                            + " proxy_set_header X-Uri $request_uri;",
                    "return 200 \"said $uri\";",
                    "return 301 /e$is_args$args;",
                    "return 302 https://$host$request_uri;",
                    "return 404;",
                    "index none.html index.html;",
                    "alias @FOLDER@/other/;",
                    "expires 1h;");

    private static final List<String> OF_REGEX =
            List.of(
                    "try_files $uri =404;",
                    "proxy_pass http://@MEMBER@;",
                    "proxy_pass http://back/re/$1;",
                    "return 200 \"found $1\";",
                    "root @FOLDER@/other;",
                    "return 403;",
                    "expires max;");
}
