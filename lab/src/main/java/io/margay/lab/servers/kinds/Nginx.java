package io.margay.lab.servers.kinds;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// nginx with one worker process: files, files over HTTP/2 alone, files that are compressed, or in
/// front of another server with kept connections.
record Nginx(String variant, String title) implements LabServer {
    private static final String FRONT = "proxy";
    private static final String HTTP2 = "http2";
    private static final String GZIP = "gzip";

    static List<LabServer> variants() {
        return List.of(
                new Nginx("files", "nginx"),
                new Nginx(HTTP2, "nginx, HTTP/2"),
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

    private boolean isHttp2() {
        return variant.equals(HTTP2);
    }

    @Override
    public Set<Feature> features() {
        return switch (variant) {
            case FRONT -> EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.HTTP2);
            case HTTP2 -> EnumSet.of(Feature.HTTP2, Feature.HTTP2_CLEAR, Feature.FILES);
            case GZIP -> EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.GZIP);
            default -> EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.FILES);
        };
    }

    @Override
    public Availability availability(LabEnvironment here) {
        return here.tools().find("nginx").isPresent()
                ? Availability.HERE
                : Availability.missing("apt install nginx-light");
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        return Tools.firstLine(here.tools().get("nginx").toString(), "-v")
                .replace("nginx version: ", "");
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        return List.of(tier(setting, configuration(setting)));
    }

    /// Writes the configuration and says how to start it.
    static Tier tier(Setting setting, String text) throws IOException {
        Path conf = Files.writeString(setting.folder().resolve("nginx.conf"), text);
        Path run = Files.createDirectories(setting.folder().resolve("run"));
        if ("root".equals(System.getProperty("user.name"))) {
            for (String folder : List.of("body", "proxy")) {
                Files.createDirectories(run.resolve(folder));
            }
        }
        return new Tier(
                "nginx",
                List.of(
                        setting.here().tools().get("nginx").toString(),
                        "-c",
                        conf.toString(),
                        "-p",
                        setting.folder().toString(),
                        "-e",
                        setting.folder().resolve("error.log").toString()),
                Map.of(),
                List.of(setting.http(), setting.https()));
    }

    /// The user as whom it runs where root starts it.
    static String user() {
        return "root".equals(System.getProperty("user.name")) ? "user www-data;" : "";
    }

    private String configuration(Setting setting) {
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
          include /etc/nginx/mime.types;
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
                        isFront()
                                ? "upstream lab { "
                                        + upstream
                                        + "keepalive 10000; keepalive_requests 1000000000; }"
                                : "",
                        setting.http(),
                        isHttp2() ? " http2" : "",
                        setting.https(),
                        setting.certificate().pem(),
                        setting.certificate().key(),
                        location);
    }
}
