package io.margay.app.agreement.member;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Makes requests, and what a member answers. Stateless.
final class MemberProbes {
    private static final List<String> FIELDS =
            List.of(
                    "X-One: one",
                    "X-One: one",
                    "X-One: two, o",
                    "x-one: ONE",
                    "X-Two: a=1; b=2",
                    "X-Two:",
                    "Cookie: JSESSIONID=abc.r1; a=b; ROUTE=x.r1",
                    "Cookie: a=hello",
                    "Authorization: Basic YWRhOnNlY3JldA==",
                    "Authorization: Bearer x.y",
                    "User-Agent: Mozilla/5.0 (X11)",
                    "User-Agent: curl/8",
                    "X-Forwarded-For: 192.0.2.7",
                    "X-Forwarded-For: 10.9.9.9, 192.0.2.7",
                    "X-Forwarded-Proto: https",
                    "X-Forwarded-Host: evil.example",
                    "X-Real-IP: 192.0.2.9",
                    "Forwarded: for=192.0.2.4",
                    "Referer: http://ref.example/o",
                    "Accept-Encoding: gzip",
                    "Accept-Encoding: gzip, br",
                    "Accept: text/html, */*;q=0.1",
                    "Accept-Language: de",
                    "Content-Type: application/x-www-form-urlencoded",
                    "X-Remote-User: root",
                    "REMOTE_USER: root",
                    "x_under: score",
                    "X-One_: under",
                    "Proxy: http://evil.example/",
                    "Via: 1.1 before",
                    "Max-Forwards: 5",
                    "TE: trailers",
                    "Origin: http://front.example",
                    "Proxy-Authorization: Basic eDp5",
                    "Keep-Alive: timeout=5",
                    "If-None-Match: \"abc\"",
                    "Range: bytes=0-2",
                    "X-Empty-After: ",
                    "X-Long: " + "a=b; ".repeat(60),
                    "X-Request-Id: given",
                    "Upgrade-Insecure-Requests: 1");

    private static final List<MemberReply> REPLIES =
            List.of(
                    reply("Content-Type: text/html", "X-One: member"),
                    reply("Content-Type: text/plain; charset=utf-8", "X-Powered-By: member"),
                    reply(
                            "Content-Type: text/html",
                            "Set-Cookie: a=1; Path=/app; HttpOnly",
                            "Set-Cookie: JSESSIONID=abc.r1; path=/"),
                    reply(
                            "Content-Type: text/css",
                            "Set-Cookie: s=1; Path=/inner/deep; Domain=back.example; Secure"),
                    reply(
                            "Content-Type: text/html",
                            "Set-Cookie: b=2; Domain=.internal",
                            "Set-Cookie: c=3; expires=Wed, 01 Jan 2031 00:00:00 GMT; path=/inner/"),
                    reply(
                            "Content-Type: text/plain",
                            "Cache-Control: private, max-age=5",
                            "Vary: Accept-Language"),
                    reply(
                            "Content-Type: application/json",
                            "ETag: \"abc\"",
                            "Last-Modified: Wed, 01 Jan 2020 00:00:00 GMT"),
                    reply(
                            "Content-Type: text/plain",
                            "Via: 1.0 inner",
                            "X-One: o",
                            "X-One: oo",
                            "Link: </x>; rel=preload"),
                    reply(
                            "Content-Type: text/html",
                            "Access-Control-Allow-Origin: *",
                            "X-Frame-Options: SAMEORIGIN",
                            "Content-Language: de"),
                    reply("X-One: untyped"),
                    reply(
                            "Content-Type: text/plain",
                            "Server: member/1",
                            "Date: Wed, 01 Jan 2020 00:00:00 GMT",
                            "Content-Location: http://@HTTP@/app/y"),
                    MemberReply.of(
                            302,
                            "member moved",
                            "Location: http://@HTTP@/app/next?a=b",
                            "Content-Type: text/html"),
                    MemberReply.of(302, "member moved", "Location: http://@HTTP@/inner/deep/next"),
                    MemberReply.of(303, "", "Location: /app/relative"),
                    MemberReply.of(
                            301, "", "Location: http://back.example/app/x", "Set-Cookie: m=1"),
                    MemberReply.of(302, "", "Location: http://c.example/app/x"),
                    MemberReply.of(302, "", "Location: https://@HOST@/app/x"),
                    MemberReply.of(
                            404, "member knows not\n", "Content-Type: text/plain", "X-One: lost"),
                    MemberReply.of(
                            500,
                            "member broke\n",
                            "Content-Type: text/html",
                            "X-Powered-By: member"),
                    MemberReply.of(
                            401,
                            "member asks\n",
                            "Content-Type: text/plain",
                            "WWW-Authenticate: Basic realm=\"member\""),
                    MemberReply.of(403, "member refuses\n", "Content-Type: text/plain"),
                    MemberReply.of(
                            503, "member busy\n", "Content-Type: text/plain", "Retry-After: 7"),
                    MemberReply.of(204, "", "X-One: nothing"),
                    MemberReply.of(304, "", "ETag: \"abc\"", "Cache-Control: max-age=9"),
                    MemberReply.of(
                            206, "mem", "Content-Range: bytes 0-2/20", "Content-Type: text/plain"),
                    MemberReply.of(
                            201,
                            "member made\n",
                            "Location: /app/made",
                            "Content-Type: text/plain"),
                    new MemberReply(
                            200, List.of("Content-Type: text/html"), "member in chunks\n", true));

    private MemberProbes() {}

    private static MemberReply reply(String... fields) {
        return MemberReply.of(200, "member says hello\n", fields);
    }

    static MemberProbe of(Draft draft) {
        String method =
                draft.any(
                        "GET", "GET", "GET", "GET", "GET", "GET", "GET", "POST", "POST", "HEAD",
                        "PUT", "OPTIONS", "DELETE");
        Map<String, String> fields = new LinkedHashMap<>();
        int count = draft.upTo(6) - 1;
        for (int i = 0; i < count; i++) {
            String field = draft.any(FIELDS);
            fields.putIfAbsent(
                    field.substring(0, field.indexOf(':')).toLowerCase(Locale.ROOT), field);
        }
        String hop = "";
        if (draft.one(12)) {
            hop = draft.any("X-One", "x-two", "X-Forwarded-For", "Authorization", "X-Remote-User");
        }
        boolean content = List.of("POST", "PUT").contains(method);
        return new MemberProbe(
                method,
                draft.any(draft.targets()).replace(" ", "%20"),
                new ArrayList<>(fields.values()),
                hop,
                content ? draft.any("a=b&c=d", "x") : "",
                content && draft.one(4),
                draft.any(REPLIES));
    }
}
