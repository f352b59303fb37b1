package io.margay.app.agreement.member;

/// What is changed in fields, by which variables. Stateless.
final class FieldLines {
    private FieldLines() {}

    static void request(Draft draft) {
        int count = draft.upTo(3);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String name =
                    draft.any(
                            "X-One",
                            "X-One",
                            "X-Two",
                            "X-New",
                            "Cookie",
                            "Authorization",
                            "User-Agent",
                            "X-Forwarded-For",
                            "X-Forwarded-Proto",
                            "Referer",
                            "Accept-Encoding",
                            "X-Remote-User",
                            "Content-Type",
                            "Accept",
                            "x_under");
            text.append("RequestHeader ");
            text.append(draft.one(25) ? "set Host inner.example" : verb(draft, name));
            text.append(condition(draft, false)).append('\n');
        }
        draft.put(text.toString().stripTrailing());
    }

    static void response(Draft draft) {
        int count = draft.upTo(3);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String name =
                    draft.any(
                            "X-One",
                            "X-One",
                            "X-New",
                            "Set-Cookie",
                            "Set-Cookie",
                            "Cache-Control",
                            "X-Frame-Options",
                            "Strict-Transport-Security",
                            "Location",
                            "Content-Type",
                            "ETag",
                            "X-Powered-By",
                            "Link",
                            "Expires",
                            "Access-Control-Allow-Origin",
                            "Last-Modified",
                            "Content-Language");
            text.append("Header ");
            text.append(draft.any("", "", "", "always ", "onsuccess "));
            text.append(verb(draft, name)).append(condition(draft, true)).append('\n');
        }
        draft.put(text.toString().stripTrailing());
    }

    private static String verb(Draft draft, String name) {
        String verb =
                draft.any(
                        "set",
                        "set",
                        "set",
                        "setifempty",
                        "add",
                        "append",
                        "merge",
                        "unset",
                        "unset",
                        "edit",
                        "edit*");
        String start = verb + " " + name;
        return switch (verb) {
            case "unset" -> start;
            case "edit" -> start + " " + edit(draft);
            case "edit*" -> start + " " + editAll(draft);
            default -> start + " " + value(draft);
        };
    }

    private static String edit(Draft draft) {
        return draft.any(
                editAll(draft),
                "\"^(.*)$\" \"<$1>\"",
                "\"^http://\" \"https://\"",
                "\"(?i)^((?!.*secure).*)$\" \"$1; Secure\"",
                "^ pre-");
    }

    /// httpd ends by a stack overflow where `edit*` finds nothing at the end of a value.
    private static String editAll(Draft draft) {
        return draft.any(
                "o 0",
                "\"(?i)ONE\" \"two\"",
                "\"\\s*JSESSIONID=[^;]*;?\" \"\"",
                "\"(^|; )a=[^;]*\" \"$1a=x\"",
                "\"([a-z]+)=([a-z0-9]+)\" \"$2=$1\"",
                "none \"some\"");
    }

    private static String value(Draft draft) {
        return draft.any(
                "v",
                "one",
                "\"two words\"",
                "\"%{foo}e\"",
                "%{bar}e",
                "%{HTTPS}s",
                "%{REMOTE_ADDR}s",
                "%{REQUEST_METHOD}s",
                "\"a, b\"",
                "\"100%%\"",
                "\"expr=%{HTTP_HOST}\"",
                "\"expr=%{REQUEST_URI}\"",
                "\"expr=%{QUERY_STRING}\"",
                "\"expr=%{tolower:%{HTTP:X-One}}\"",
                "\"<%{foo}e/%{none}e>\"",
                "https",
                "\"default-src 'self'; script-src 'none'\"",
                "\"n=1; Path=/; HttpOnly\"",
                "no-cache");
    }

    private static String condition(Draft draft, boolean response) {
        String status =
                draft.any(
                        " \"expr=%{REQUEST_STATUS} >= 400\"",
                        " \"expr=%{REQUEST_STATUS} == 200\"",
                        " \"expr=%{CONTENT_TYPE} =~ m#^text/html#\"",
                        " \"expr=%{resp:X-One} == 'member'\"");
        return draft.any(
                "",
                "",
                "",
                "",
                " env=foo",
                " env=!foo",
                " env=bar",
                " \"expr=%{REQUEST_URI} =~ m#^/app#\"",
                " \"expr=-n %{HTTP:X-One}\"",
                " \"expr=%{REQUEST_METHOD} in { 'POST', 'PUT' }\"",
                response ? status : "");
    }

    static void variables(Draft draft) {
        int count = draft.upTo(3);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(
                    draft.any(
                            "SetEnv foo 1",
                            "SetEnv foo \"a b\"",
                            "SetEnv APP_ENV production",
                            "UnsetEnv foo",
                            "SetEnvIf X-One ^one$ foo",
                            "SetEnvIf X-One \"^(.)(.*)$\" foo=$2-$1",
                            "SetEnvIfNoCase User-Agent mozilla bar=moz !foo",
                            "SetEnvIf Request_URI \"^/app/(.+)$\" bar=$1",
                            "SetEnvIf Request_Method POST foo=post",
                            "SetEnvIf Remote_Addr ^127 foo=local",
                            "SetEnvIf Request_Protocol 1\\.1 bar=new",
                            "SetEnvIf Authorization \"(.*)\" HTTP_AUTHORIZATION=$1",
                            "SetEnvIf Cookie \"a=([^;]+)\" bar=$1",
                            "SetEnvIf foo ^(.*)$ bar=was-$1",
                            "BrowserMatch Mozilla/5 foo=five",
                            "SetEnvIfExpr \"%{HTTP:X-One} == 'one'\" foo=expr",
                            "SetEnvIfExpr \"%{REQUEST_URI} =~ m#^/(\\w+)#\" bar=$1"));
            text.append('\n');
        }
        draft.put(text.toString().stripTrailing());
    }
}
