package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Margay's gateway in front of another server, over HTTP, HTTP/2 in clear text or AJP.
///
/// @param build which Margay
/// @param protocol of its members' addresses
/// @param transport of its listeners and of its connections to members; empty for the best here
/// @param ruled whether its host has rules, variables and header rules, as one that has come from
///   httpd
record Gateway(Build build, String protocol, String transport, boolean ruled)
        implements Build.Server {
    /// None of them leads a request elsewhere.
    private static final String RULES =
            """
                variables:
                  - set: AGENT
                    value: "%1"
                    when: [{value: "%{HTTP:User-Agent}", regex: "^([^/]*)"}]
                rules:
                  - {regex: '^/old/(.*)\\.html$', target: /new/$1, redirect: 301}
                  - {regex: '^/legacy/(.*)$', rewrite: /$1}
                  - {regex: "^/(?:cgi-bin|admin)(/|$)", refuse: 403}
                request-headers:
                  - {set: X-Agent, value: "%{ENV:AGENT}"}
                  - {edit: Cookie, find: '\\s*tracker=[^;]*;?', value: ""}
                response-headers:
                  - {set: X-Frame-Options, value: SAMEORIGIN}
                  - {set: Strict-Transport-Security, value: max-age=31536000, always: true}
                  - {edit: Set-Cookie, find: "$", value: "; SameSite=Lax"}
                  - {unset: X-Powered-By}
            """;

    static List<LabServer> variants() {
        List<LabServer> all = new ArrayList<>();
        for (Build build : Build.values()) {
            for (String transport : List.of("", "native", "nio")) {
                all.add(new Gateway(build, "http", transport, false));
                all.add(new Gateway(build, "ajp", transport, false));
                all.add(new Gateway(build, "h2c", transport, false));
            }
            all.add(new Gateway(build, "http", "native", true));
        }
        return List.copyOf(all);
    }

    @Override
    public String name() {
        return build.gateway()
                + ":"
                + protocol
                + (transport.isEmpty() ? "" : "-" + transport)
                + (ruled ? "-ruled" : "");
    }

    @Override
    public String title() {
        return build.title()
                + " gateway, "
                + switch (protocol) {
                    case "ajp" -> "AJP";
                    case "h2c" -> "HTTP/2";
                    default -> "HTTP";
                }
                + (transport.isEmpty() ? "" : ", " + transport)
                + (ruled ? ", with rules" : "");
    }

    @Override
    public boolean isFront() {
        return true;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.HTTP2, Feature.HTTP2_CLEAR);
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        LabEnvironment here = setting.here();
        StringBuilder members = new StringBuilder();
        for (Setting back : setting.backs()) {
            members.append(
                    protocol.equals("ajp")
                            ? "      - {url: \"ajp://127.0.0.1:%d\", secret: %s, route: %s}%n"
                                    .formatted(back.ajp(), back.secret(), back.route())
                            : "      - {url: \"%s://127.0.0.1:%d\", route: %s}%n"
                                    .formatted(protocol, back.http(), back.route()));
        }
        String chosen = transport.isEmpty() ? "" : "    transport: " + transport + "\n";
        Path file =
                Files.writeString(
                        setting.folder().resolve("margay.yaml"),
                        """
                        listeners:
                          - http: 127.0.0.1:%d
                        %s\
                          - https: 127.0.0.1:%d
                            certificates: [{cert: %s, key: %s}]
                        %s\
                        hosts:
                          - routes:
                              /*: {gateway: lab}
                        %s\
                        upstreams:
                          lab:
                            members:
                        %s\
                        """
                                .formatted(
                                        setting.http(),
                                        chosen,
                                        setting.https(),
                                        setting.certificate().pem(),
                                        setting.certificate().key(),
                                        chosen,
                                        ruled ? RULES : "",
                                        members));
        return List.of(
                new Tier(
                        "gateway",
                        List.of(
                                build.launcher(here),
                                "run",
                                file.toString(),
                                "--work",
                                setting.folder().resolve("work").toString()),
                        Build.environment(here),
                        List.of(setting.http(), setting.https())));
    }
}
