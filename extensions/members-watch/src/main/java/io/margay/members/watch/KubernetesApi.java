package io.margay.members.watch;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.discovery.TokenFile;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Lists and watches the EndpointSlices of a service at the API of Kubernetes. The token is read
/// anew for each request, for it is rotated. Used by one thread.
final class KubernetesApi implements Watched {
    private static final int GONE = 410;

    private final MemberSource.Kubernetes service;
    private final WatchLimits limits;
    private final Api api;
    private final TokenFile token;
    private final EndpointSlices slices;
    private String version = "";

    KubernetesApi(
            MemberSource source,
            MemberSource.Kubernetes service,
            WatchLimits limits,
            int endpointsMax) {
        this.service = service;
        this.limits = limits;
        api = new Api(service.trust(), limits);
        token = new TokenFile(service.tokenFile(), 1);
        slices = new EndpointSlices(source, service, endpointsMax);
    }

    private URI at(String query) throws IOException {
        String root = service.api().toString().replaceFirst("/+$", "");
        return URI.create(
                root
                        + "/apis/discovery.k8s.io/v1/namespaces/"
                        + encoded(namespace())
                        + "/endpointslices?labelSelector="
                        + encoded("kubernetes.io/service-name=" + service.service())
                        + query);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private String namespace() throws IOException {
        if (!service.namespace().isEmpty()) {
            return service.namespace();
        }
        Path own = service.tokenFile().resolveSibling("namespace");
        try {
            String name = Files.readString(own).strip();
            if (!name.matches("[a-z0-9-]{1,63}")) {
                throw new IOException(own + " has no name of a namespace");
            }
            return name;
        } catch (NoSuchFileException e) {
            throw new IOException("\"namespace\" is missing, and there is no " + own, e);
        }
    }

    private String authorization() throws IOException {
        return "Bearer " + token.read();
    }

    @Override
    public void readAll() throws IOException, InterruptedException {
        slices.clear();
        String next = "";
        for (int page = 0; page < limits.pagesMax(); page++) {
            String from = next.isEmpty() ? "" : "&continue=" + encoded(next);
            Map<String, Object> list =
                    api.ask(at("&limit=" + limits.pageItems() + from), authorization(), null);
            for (Map<String, Object> each : Api.list(list, "items")) {
                slices.put(each);
            }
            Map<String, Object> metadata = Api.section(list, "metadata");
            version = Api.text(metadata, "resourceVersion");
            next = Api.text(metadata, "continue");
            if (next.isEmpty()) {
                return;
            }
        }
        throw new IOException("it has more than " + limits.pagesMax() + " pages of slices");
    }

    @Override
    public EventLines watch() throws IOException, InterruptedException {
        return api.watch(
                at(
                        "&watch=true&allowWatchBookmarks=true&timeoutSeconds="
                                + limits.watch().toSeconds()
                                + "&resourceVersion="
                                + encoded(version)),
                authorization(),
                null);
    }

    @Override
    public boolean take(Map<String, Object> event) throws IOException {
        Map<String, Object> object = Api.section(event, "object");
        String type = Api.text(event, "type");
        switch (type) {
            case "ADDED", "MODIFIED" -> slices.put(object);
            case "DELETED" -> slices.remove(object);
            case "BOOKMARK" -> {
                // Its version is all that it says.
            }
            default -> {
                String why = type + " " + Api.text(object, "message");
                throw object.get("code") instanceof Number code && code.intValue() == GONE
                        ? new ExpiredException(why)
                        : new IOException(why);
            }
        }
        String now = Api.text(Api.section(object, "metadata"), "resourceVersion");
        if (!now.isEmpty()) {
            version = now;
        }
        return !type.equals("BOOKMARK");
    }

    @Override
    public List<PeerConfig> members() throws IOException {
        return slices.members();
    }

    @Override
    public void failed() {
        // There is one address, behind which the servers are.
    }

    @Override
    public void close() {
        api.close();
    }
}
