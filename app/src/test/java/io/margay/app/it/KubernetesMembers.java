package io.margay.app.it;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.SelfSigned;
import io.margay.testkit.fault.FaultyLink;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The API server of Kubernetes, which `bin/kube-apiserver` has built, with an etcd of its own: a
/// slice for each container. The API refuses loopback addresses in slices, so they are written into
/// its etcd, from where it serves and watches them as any other.
///
/// With each start the service account of the gateways is made anew: the API refuses its old token,
/// and the file has the new one. What the account may do is what the guide says.
final class KubernetesMembers extends ClusterMembers {
    private static final String ADMIN = "the-token-of-this-test";
    private static final String NAMESPACE = "/api/v1/namespaces/test";
    private static final String ACCOUNTS = NAMESPACE + "/serviceaccounts";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/test";
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;

    private final int port = FreePort.next();
    private final FaultyLink link = new FaultyLink(port);
    private final EtcdMembers etcd;
    private final SelfSigned server;
    private final HttpClient client;
    private final Path token;

    /// As etcd has them.
    private final Map<String, Integer> told = new HashMap<>();

    KubernetesMembers(Path parent) throws IOException {
        super(parent);
        etcd = new EtcdMembers(folder);
        server = SelfSigned.make(folder, "api", "EC", List.of("IP:127.0.0.1"));
        token = folder.resolve("token");
        try {
            client = HttpClient.newBuilder().sslContext(server.trusting()).build();
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
        Files.writeString(folder.resolve("tokens.csv"), ADMIN + ",admin,1,system:masters\n");
    }

    @Override
    String source() {
        return ("{kubernetes: {service: shop, namespace: test, api: \"https://127.0.0.1:%d\","
                        + " token-file: \"%s\", trust: \"%s\"}}")
                .formatted(link.port(), token, server.cert());
    }

    @Override
    FaultyLink link() {
        return link;
    }

    @Override
    void start() throws IOException {
        etcd.start();
        run(
                port,
                Objects.requireNonNull(
                        System.getProperty("margay.kube-apiserver"),
                        "make cluster builds it, and names it by -Dmargay.kube-apiserver"),
                "--etcd-servers=" + etcd.url(),
                "--bind-address=127.0.0.1",
                "--advertise-address=192.0.2.1",
                "--endpoint-reconciler-type=none",
                "--secure-port=" + port,
                "--cert-dir=" + folder,
                "--tls-cert-file=" + server.cert(),
                "--tls-private-key-file=" + server.key(),
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + server.cert(),
                "--service-account-signing-key-file=" + server.key(),
                "--service-cluster-ip-range=10.0.0.0/24");
        Eventually.holds("the API is ready", Duration.ofMinutes(2), this::isReady);
        create("/api/v1/namespaces", "{'metadata': {'name': 'test'}}");
        create(
                RBAC + "/roles",
                "{'metadata': {'name': 'gateway'}, 'rules': [{'apiGroups': ['discovery.k8s.io'],"
                        + " 'resources': ['endpointslices'], 'verbs': ['list', 'watch']}]}");
        create(
                RBAC + "/rolebindings",
                "{'metadata': {'name': 'gateway'}, 'subjects': [{'kind': 'ServiceAccount',"
                        + " 'name': 'gateway', 'namespace': 'test'}], 'roleRef': {'apiGroup':"
                        + " 'rbac.authorization.k8s.io', 'kind': 'Role', 'name': 'gateway'}}");
        HttpResponse<String> _ = ask("DELETE", ACCOUNTS + "/gateway", "");
        create(ACCOUNTS, "{'metadata': {'name': 'gateway'}}");
        rotate();
    }

    /// Gives the gateways another token, as a kubelet does.
    private void rotate() throws IOException {
        String made =
                create(
                        ACCOUNTS + "/gateway/token",
                        "{'apiVersion': 'authentication.k8s.io/v1', 'kind': 'TokenRequest',"
                                + " 'spec': {'expirationSeconds': 3600}}");
        Map<?, ?> status = (Map<?, ?>) JSON.std.mapFrom(made).get("status");
        Path fresh = Files.writeString(folder.resolve("token.new"), (String) status.get("token"));
        Files.move(fresh, token, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    void kill() {
        super.kill();
        etcd.kill();
    }

    @Override
    void tell(Map<String, Integer> all) throws IOException {
        for (Map.Entry<String, Integer> one : all.entrySet()) {
            if (!one.getValue().equals(told.get(one.getKey()))) {
                etcd.write(key(one.getKey()), slice(one.getKey(), one.getValue()));
            }
        }
        for (String name : told.keySet()) {
            if (!all.containsKey(name)) {
                etcd.delete(key(name));
            }
        }
        told.clear();
        told.putAll(all);
        rotate();
    }

    private static String key(String name) {
        return "/registry/endpointslices/test/shop-" + name;
    }

    private static String slice(String name, int port) {
        return """
        {"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", \
        "metadata": {"name": "shop-%1$s", "namespace": "test", \
        "labels": {"kubernetes.io/service-name": "shop"}}, "addressType": "IPv4", \
        "ports": [{"name": "http", "port": %2$d, "protocol": "TCP"}], \
        "endpoints": [{"addresses": ["127.0.0.1"], "conditions": {"ready": true, "serving": true, \
        "terminating": false}, "targetRef": {"kind": "Pod", "name": "%1$s"}}]}\
        """
                .formatted(name, port);
    }

    private boolean isReady() {
        try {
            return ask("GET", "/readyz", "").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /// Creates what is not there.
    ///
    /// @param json with `'` in place of the quotation marks
    /// @return the answer
    private String create(String path, String json) throws IOException {
        HttpResponse<String> answer = ask("POST", path, json.replace('\'', '"'));
        if (answer.statusCode() != CREATED && answer.statusCode() != CONFLICT) {
            throw new IOException(path + ": " + answer.body());
        }
        return answer.body();
    }

    private HttpResponse<String> ask(String method, String path, String json) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                        .method(method, HttpRequest.BodyPublishers.ofString(json))
                        .header("Authorization", "Bearer " + ADMIN)
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofSeconds(30))
                        .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        super.close();
        etcd.close();
        client.close();
    }
}
