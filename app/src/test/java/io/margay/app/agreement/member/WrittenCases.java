package io.margay.app.agreement.member;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Configurations about what chance seldom makes. Stateless.
final class WrittenCases {
    private WrittenCases() {}

    /// `[P]` to WebSocket members, of a server, a folder and a `.htaccess`.
    static MemberCase sockets(RecordingMember member) {
        List<MemberProbe> probes = new ArrayList<>();
        for (String path : List.of("/srv/x", "/srv/x?y=z", "/dir/x", "/dir/a%20b?y", "/up/hta/x")) {
            probes.add(TransportLines.socket(path, MemberReply.of(101, "", "X-One: member")));
            probes.add(
                    TransportLines.socket(
                            path,
                            MemberReply.of(403, "member refuses\n", "Content-Type: text/plain")));
        }
        return new MemberCase(
                1_000_001,
                false,
                false,
                List.of(
                        "DocumentRoot \"@DIR@\"",
                        "<Directory \"@DIR@\">",
                        "AllowOverride All",
                        "RewriteEngine On",
                        "RewriteRule ^dir/(.*)$ ws://@HTTP@/in/$1 [P]",
                        "</Directory>",
                        "RewriteEngine On",
                        "RewriteRule ^/srv/(.*)$ ws://@HTTP@/in/$1 [P]"),
                Map.of(
                        "up/.htaccess",
                        member.named(
                                """
                                RewriteEngine On
                                RewriteRule ^hta/(.*)$ ws://@HTTP@/in/$1 [P]
                                """)),
                probes);
    }

    /// Variables that `SetEnvIf` or a rule sets, and `SetEnv`, too.
    static MemberCase variables() {
        List<String> lines =
                new ArrayList<>(
                        List.of(
                                "DocumentRoot \"@DIR@\"",
                                "<Directory \"@DIR@\">",
                                "AllowOverride All",
                                "</Directory>",
                                "SetEnv A server-set",
                                "SetEnvIf Request_URI ^ A=server-if B=server-if D=server-if",
                                "SetEnv B server-set",
                                "SetEnv C server-set",
                                "UnsetEnv D",
                                "<Location /sub>",
                                "SetEnv E location-set",
                                "SetEnvIf Request_URI ^ E=location-if !A",
                                "SetEnv B location-set",
                                "</Location>",
                                "RewriteEngine On",
                                "RewriteRule ^ - [E=C:rule]",
                                "SetEnv G 1",
                                "RewriteCond %{ENV:G} 1",
                                "RewriteRule ^/app/late - [F]",
                                "RewriteCond %{ENV:G} ^$",
                                "RewriteRule ^/app/early - [F]"));
        for (String name : List.of("A", "B", "C", "D", "E")) {
            lines.add("RequestHeader set X-%1$s %%{%1$s}e env=%1$s".formatted(name));
            lines.add("Header set Y-%1$s %%{%1$s}e env=%1$s".formatted(name));
        }
        lines.add("ProxyPass /app http://@HTTP@/app");
        lines.add("ProxyPass /sub/app http://@HTTP@/sub/app");
        lines.add("ProxyPassMatch \"^/(.*\\.php)$\" \"fcgi://@FCGI@/srv/www/$1\"");
        List<MemberProbe> probes = new ArrayList<>();
        MemberReply reply = MemberReply.of(200, "answer", "Content-Type: text/plain");
        for (String path :
                List.of(
                        "/app/x",
                        "/app/late",
                        "/app/early",
                        "/sub/app/x",
                        "/z.php",
                        "/sub/z.php",
                        "/a.txt",
                        "/sub/f.txt",
                        "/sub/f.txt?late")) {
            probes.add(new MemberProbe("GET", path, List.of(), "", "", false, reply));
        }
        return new MemberCase(
                1_000_002,
                false,
                false,
                lines,
                Map.of(
                        "sub/.htaccess",
                        "SetEnv F folder\nSetEnvIf Request_URI ^ B=folder-if\n"
                                + "RewriteEngine On\nRewriteCond %{ENV:G} 1\n"
                                + "RewriteCond %{QUERY_STRING} late\nRewriteRule ^ - [G]\n"),
                probes);
    }
}
