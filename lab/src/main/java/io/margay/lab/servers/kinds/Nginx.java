package io.margay.lab.servers.kinds;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.Http3System;
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
import java.util.Map;
import java.util.Set;

/// nginx with one worker process: files, files over HTTP/2 alone or over HTTP/3, too, files that
/// are compressed, or in front of another server with kept connections.
record Nginx(String variant, String title) implements LabServer {
    private static final String FRONT = "proxy";
    private static final String HTTP2 = "http2";
    private static final String HTTP3 = "http3";
    private static final String GZIP = "gzip";

    static List<LabServer> variants() {
        return List.of(
                new Nginx("files", "nginx"),
                new Nginx(HTTP2, "nginx, HTTP/2"),
                new Nginx(HTTP3, "nginx, HTTP/3"),
                new Nginx(GZIP, "nginx, gzip"),
                new Nginx(FRONT, "nginx, HTTP proxy"));
    }

    @Override
    public String name() {
        return "nginx:" + variant;
    }

    @Override
    public boolean isFront() {
        return variant.equals(FRONT);
    }

    private boolean isHttp3() {
        return variant.equals(HTTP3);
    }

    private boolean isHttp2() {
        return variant.equals(HTTP2);
    }

    @Override
    public Set<Feature> features() {
        return switch (variant) {
            case FRONT -> EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.HTTP2);
            case HTTP2 -> EnumSet.of(Feature.HTTP2, Feature.HTTP2_CLEAR, Feature.FILES);
            case HTTP3 -> EnumSet.of(Feature.HTTPS, Feature.HTTP2, Feature.HTTP3, Feature.FILES);
            case GZIP -> EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.GZIP);
            default -> EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.FILES);
        };
    }

    @Override
    public Availability availability(LabEnvironment here) {
        if (isHttp3()) {
            return Http3System.availability();
        }
        return here.tools().find("nginx").isPresent()
                ? Availability.HERE
                : Availability.missing("apt install nginx-light");
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        List<String> command = new ArrayList<>(program(here));
        command.add("-v");
        return Tools.firstLine(command.toArray(new String[0])).replace("nginx version: ", "");
    }

    private List<String> program(LabEnvironment here) throws IOException {
        return isHttp3()
                ? Http3System.here().nginx()
                : List.of(here.tools().get("nginx").toString());
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        return List.of(tier(setting, program(setting.here()), configuration(setting)));
    }

    /// Writes the configuration and says how to start it.
    static Tier tier(Setting setting, String text) throws IOException {
        return tier(setting, List.of(setting.here().tools().get("nginx").toString()), text);
    }

    private static Tier tier(Setting setting, List<String> program, String text)
            throws IOException {
        Path conf = Files.writeString(setting.folder().resolve("nginx.conf"), text);
        Path run = Files.createDirectories(setting.folder().resolve("run"));
        if ("root".equals(System.getProperty("user.name"))) {
            for (String folder : List.of("body", "proxy")) {
                Files.createDirectories(run.resolve(folder));
            }
        }
        List<String> command = new ArrayList<>(program);
        command.addAll(
                List.of(
                        "-c",
                        conf.toString(),
                        "-p",
                        setting.folder().toString(),
                        "-e",
                        setting.folder().resolve("error.log").toString()));
        return new Tier("nginx", command, Map.of(), List.of(setting.http(), setting.https()));
    }

    /// The user as whom it runs where root starts it.
    static String user() {
        return "root".equals(System.getProperty("user.name")) ? "user www-data;" : "";
    }

    private String configuration(Setting setting) throws IOException {
        StringBuilder upstream = new StringBuilder();
        for (Setting back : setting.backs()) {
            upstream.append("server 127.0.0.1:").append(back.http()).append("; ");
        }
        String location =
                isFront()
                        ? """
                        proxy_pass http://lab;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_set_header Host $http_host;
                        """
                        : (variant.equals(GZIP) ? "gzip on; " : "")
                                + "root "
                                + setting.webapps()
                                + ";";
        return """
        %s
        daemon off;
        pid run/nginx.pid;
        worker_processes 1;
        events { worker_connections 20000; }
        http {
          include %s;
          access_log off;
          sendfile on;
          tcp_nopush on;
          keepalive_requests 1000000000;
          open_file_cache max=1000 inactive=60s;
          open_file_cache_valid 1s;
          client_body_temp_path run/body;
          proxy_temp_path run/proxy;
          ssl_session_cache off;
          ssl_session_tickets off;
          %s
          server {
            listen 127.0.0.1:%d%s;
            listen 127.0.0.1:%d ssl http2;
            %s
            ssl_certificate %s;
            ssl_certificate_key %s;
            location / {
              %s
            }
          }
        }
        """
                .formatted(
                        user(),
                        isHttp3() ? Http3System.here().mimeTypes() : "/etc/nginx/mime.types",
                        isFront()
                                ? "upstream lab { "
                                        + upstream
                                        + "keepalive 10000; keepalive_requests 1000000000; }"
                                : "",
                        setting.http(),
                        isHttp2() ? " http2" : "",
                        setting.https(),
                        isHttp3()
                                ? "quic_gso on; listen 127.0.0.1:" + setting.https() + " quic;"
                                : "",
                        setting.certificate().pem(),
                        setting.certificate().key(),
                        location);
    }
}
