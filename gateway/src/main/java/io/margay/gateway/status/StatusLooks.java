package io.margay.gateway.status;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// How status pages look: the colours and type of the console, without a file beside the page.
/// Stateless.
public final class StatusLooks {
    private static final String STYLE =
            """
            :root{color-scheme:light dark;--paper:light-dark(#f7f5f1,#151311);\
            --card:light-dark(#fff,#1e1b18);--ink:light-dark(#1f1b16,#eee8df);\
            --soft:light-dark(#5f584e,#b0a698);--line:light-dark(#e3ddd3,#38322b);\
            --accent:light-dark(#8a4f00,#f0b560);--wash:light-dark(#f3e7d3,#3a2c17);\
            --good:light-dark(#146c3e,#74d49c);--bad:light-dark(#b3261e,#ff9389)}
            *{box-sizing:border-box}html{background:var(--paper);color:var(--ink)}
            body{margin:0;font:15px/1.45 system-ui,sans-serif}
            main{display:block;max-width:100rem;margin:0 auto;padding:1.5rem}
            h1{font-size:1.375rem;margin:0 0 1rem;letter-spacing:-.01em}
            h2{font-size:1.125rem;margin:1.5rem 0 .5rem}
            h3{font-size:1rem;margin:1.25rem 0 .5rem}h4{font-size:.875rem;margin:1rem 0 .375rem}
            h2 a,h3 a,h4 a{font-weight:400}a{color:var(--accent)}
            :focus-visible{outline:3px solid light-dark(#2f6fb3,#7fb6ee);outline-offset:2px;\
            border-radius:3px}
            hr{border:0;border-top:1px solid var(--line);margin:1.5rem 0}
            .scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);\
            border-radius:10px;padding:.25rem .5rem;width:fit-content;max-width:100%;\
            margin:.375rem 0}
            table{border-collapse:collapse;font-size:.875rem}
            th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid var(--line);\
            vertical-align:top;font-variant-numeric:tabular-nums}
            tr:last-child>*{border-bottom:0}
            th{color:var(--soft);font-weight:500;font-size:.8125rem;white-space:nowrap}
            td.number{text-align:right}td.good{color:var(--good)}
            td.bad{color:var(--bad);font-weight:600}
            ul{display:grid;gap:.5rem 1.5rem;margin:0 0 1rem;padding:0;list-style:none;\
            grid-template-columns:repeat(auto-fit,minmax(min(14rem,100%),1fr))}
            li{overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
            pre{font:.8125rem/1.5 ui-monospace,Menlo,Consolas,monospace;overflow:auto;margin:0}
            form{margin:.5rem 0}input,select{font:inherit;font-size:.875rem;padding:.2rem .6rem;\
            border-radius:6px;border:1px solid light-dark(#8d8476,#7d7467);\
            background:var(--card);color:var(--ink);max-width:100%}
            input[type=submit]{cursor:pointer}input[type=submit]:hover{background:var(--wash)}
            @media(max-width:40rem){main{padding:1rem}}
            """;

    /// What the head of a page has beside its title.
    public static final String HEAD =
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>"
                    + STYLE
                    + "</style>";

    /// The styles of [#HEAD] in a `Content-Security-Policy`.
    public static final String SOURCE = "'sha256-" + digest() + "'";

    /// The header `Content-Security-Policy`: nothing is loaded and no script runs.
    static final String POLICY =
            "default-src 'none'; style-src "
                    + SOURCE
                    + "; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    /// The beginning of a table that may be wider than a phone, and its end.
    public static final String TABLE = "<div class=\"scroll\" tabindex=\"0\"><table>";

    public static final String TABLE_END = "</table></div>";

    private StatusLooks() {}

    private static String digest() {
        try {
            byte[] style = STYLE.getBytes(StandardCharsets.UTF_8);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(style));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
