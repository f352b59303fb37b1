package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks the Helm chart and the manifests of `packages/kubernetes`: `helm lint`, `kubeconform`,
/// and `./margay check` for every `margay.yaml` in them. A program by itself, run from its source
/// by `make kubernetes` in a built checkout. Confined to one thread.
///
/// `helm` and `kubeconform` are looked for on the path, then built by Go, if it is there, into
/// `target/tools`. The schemas of Kubernetes come from the Python package `kubernetes-validate`, by
/// `pip`, or from the folder `KUBERNETES_SCHEMAS`, which has them as
/// `v1.31.0-local-strict/deployment-apps-v1.json` and so on.
final class KubernetesFiles {
    private static final String HELM = "helm.sh/helm/v3/cmd/helm@v3.22.0";
    private static final String KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0";
    private static final String SCHEMAS = "kubernetes-validate==1.37.0";

    /// The oldest that the chart is for, and others since.
    private static final List<String> VERSIONS = List.of("1.25.0", "1.31.0", "1.37.0");

    private static final String CONFIGURATION = "  margay.yaml: |";
    private static final String INDENT = "    ";

    private static final Map<String, List<String>> CHARTS =
            Map.of(
                    "default",
                    List.of(),
                    "memory",
                    List.of("sessions.store=memory", "gateway.enabled=false", "replicas=1"),
                    "everything",
                    List.of(
                            "ingress.enabled=true",
                            "ingress.tlsSecret=tls",
                            "ingress.className=nginx",
                            "networkPolicy.enabled=true",
                            "sessions.url=redis://valkey.data:6379",
                            "gateway.service.type=LoadBalancer",
                            "env[0].name=A",
                            "env[0].value=b",
                            "hosts=- name: shop.example\n  webapps: /var/lib/margay/webapps"));

    private final Path root = Path.of("").toAbsolutePath();
    private final Path tools = root.resolve("target/tools");
    private final Path work = root.resolve("target/kubernetes");
    private final Path folder = root.resolve("packages/kubernetes");
    private final Commands commands = new Commands(root, Map.of("GOBIN", tools.toString()));
    private final String mode;

    private KubernetesFiles(String mode) {
        this.mode = mode;
    }

    /// @param args `--all`, so that a missing tool is a failure; `--update`, to write the manifests
    ///   anew from the chart; or none
    public static void main(String[] args) throws InterruptedException {
        try {
            new KubernetesFiles(args.length > 0 ? args[0] : "").check();
        } catch (IOException e) {
            System.err.println("make kubernetes: " + e.getMessage());
            System.exit(1);
        }
    }

    private void check() throws IOException, InterruptedException {
        Folders.empty(work);
        Files.createDirectories(tools);
        Optional<String> helm = tool("helm", HELM);
        if (helm.isPresent()) {
            chart(helm.get());
        } else if (mode.equals("--update")) {
            throw new IOException("helm is missing");
        } else {
            missing("helm");
        }
        Files.copy(folder.resolve("margay.yaml"), work.resolve("plain.yaml"));
        Optional<Path> schemas = schemas();
        Optional<String> kubeconform = tool("kubeconform", KUBECONFORM);
        if (schemas.isEmpty()) {
            missing("the schemas of Kubernetes");
        } else if (kubeconform.isEmpty()) {
            missing("kubeconform");
        } else {
            for (String version : VERSIONS) {
                conform(kubeconform.get(), schemas.get(), version);
            }
        }
        configurations();
    }

    private void missing(String tool) throws IOException {
        if (mode.equals("--all")) {
            throw new IOException(tool + " is missing");
        }
        System.err.println("make kubernetes: not checked by " + tool + ", which is missing");
    }

    private Optional<String> tool(String name, String module)
            throws IOException, InterruptedException {
        Path built = tools.resolve(name);
        if (Commands.has(name)) {
            return Optional.of(name);
        }
        if (!Files.isExecutable(built) && Commands.has("go")) {
            String _ = commands.quiet("go", "install", module);
        }
        return Files.isExecutable(built) ? Optional.of(built.toString()) : Optional.empty();
    }

    /// Renders the chart in several ways, and compares the manifests with it.
    private void chart(String helm) throws IOException, InterruptedException {
        Path chart = folder.resolve("margay");
        String _ = commands.quiet(helm, "lint", "--strict", chart);
        for (Map.Entry<String, List<String>> each : CHARTS.entrySet()) {
            List<Object> words =
                    new ArrayList<>(List.of(helm, "template", "margay", chart, "--namespace"));
            words.addAll(List.of("margay", "--kube-version", "1.31.0"));
            each.getValue().forEach(value -> words.addAll(List.of("--set", value)));
            Files.writeString(
                    work.resolve(each.getKey() + ".yaml"), commands.output(words.toArray()) + "\n");
        }
        // What only Helm reads is left out.
        String made =
                Files.readString(folder.resolve("header.txt"))
                        + Files.readAllLines(work.resolve("default.yaml")).stream()
                                .filter(line -> !line.startsWith("# Source: "))
                                .filter(line -> !line.contains("helm.sh/chart: "))
                                .filter(line -> !line.endsWith("managed-by: Helm"))
                                .map(line -> line + "\n")
                                .collect(Collectors.joining());
        Path manifests = folder.resolve("margay.yaml");
        if (mode.equals("--update")) {
            Files.writeString(manifests, made);
        } else if (!made.equals(Files.readString(manifests))) {
            Files.writeString(work.resolve("manifests"), made);
            throw new IOException(
                    manifests + " is not what the chart says: make kubernetes MODE=--update");
        }
    }

    private Optional<Path> schemas() throws IOException, InterruptedException {
        String named = System.getenv().getOrDefault("KUBERNETES_SCHEMAS", "");
        Path brought = tools.resolve("schemas/kubernetes_validate/kubernetes-json-schema");
        Path schemas = named.isEmpty() ? brought : Path.of(named);
        if (!Files.isDirectory(schemas) && Commands.has("pip")) {
            String _ =
                    commands.quiet(
                            "pip",
                            "install",
                            "-q",
                            "--no-deps",
                            "--target",
                            tools.resolve("schemas"),
                            SCHEMAS);
        }
        return Optional.of(schemas).filter(Files::isDirectory);
    }

    private void conform(String kubeconform, Path schemas, String version)
            throws IOException, InterruptedException {
        // They name each other by URLs, which become files.
        Path own = Folders.empty(work.resolve("schemas"));
        try (Stream<Path> all = Files.list(schemas.resolve("v" + version + "-local-strict"))) {
            for (Path file : all.filter(each -> each.toString().endsWith(".json")).toList()) {
                Files.writeString(
                        own.resolve(file.getFileName()),
                        Files.readString(file)
                                .replace(
                                        "\"/api/_definitions.json",
                                        "\"file://" + own + "/_definitions.json")
                                .replace("\"https://kubernetes.io/api/", "\"file://" + own + "/"));
            }
        }
        List<Object> words =
                new ArrayList<>(List.of(kubeconform, "-strict", "-summary", "-schema-location"));
        words.add(own + "/{{ .ResourceKind }}{{ .KindSuffix }}.json");
        words.addAll(rendered());
        System.out.println("Kubernetes " + version + ": " + commands.quiet(words.toArray()));
        commands.run("rm", "-rf", own);
    }

    private List<Path> rendered() throws IOException {
        try (Stream<Path> all = Files.list(work)) {
            return all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        }
    }

    /// Reads every `margay.yaml` of a ConfigMap as the server itself does.
    private void configurations() throws IOException, InterruptedException {
        Path webapps = Files.createDirectories(work.resolve("webapps/ROOT"));
        Files.writeString(webapps.resolve("index.html"), "hello\n");
        Commands server =
                new Commands(
                        root,
                        Map.of(
                                "MARGAY_NO_BUILD", "1",
                                "MARGAY_NO_CACHE", "1",
                                "MARGAY_ADMIN_TOKEN", "0123456789abcdef",
                                "HOSTNAME", "margay-0",
                                "SESSION_KEY", "0123456789abcdef0123456789abcdef",
                                "VALKEY_PASSWORD", "secret"));
        int checked = 0;
        for (Path file : rendered()) {
            for (String text : configurations(Files.readAllLines(file))) {
                // Folders and the API of Kubernetes are those of this test.
                Path own = work.resolve("margay-" + checked + ".yml");
                String api = "port: http, namespace: margay, api: \"http://127.0.0.1:9\"}}";
                Files.writeString(
                        own,
                        text.replace("/var/lib/margay", work.toString())
                                .replace("port: http}}", api));
                String _ = server.quiet(root.resolve("margay"), "check", own);
                checked++;
            }
        }
        if (checked == 0) {
            throw new IOException("no margay.yaml was found");
        }
        System.out.println("margay check: " + checked + " configurations hold");
    }

    private static List<String> configurations(List<String> lines) {
        List<String> found = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean inside = false;
        for (String line : Stream.concat(lines.stream(), Stream.of("end")).toList()) {
            if (inside && (line.startsWith(INDENT) || line.isBlank())) {
                text.append(line.substring(Math.min(line.length(), INDENT.length()))).append('\n');
            } else if (inside) {
                found.add(text.toString());
            }
            inside =
                    line.startsWith(CONFIGURATION)
                            || (inside && line.isBlank())
                            || (inside && line.startsWith(INDENT));
            if (line.startsWith(CONFIGURATION)) {
                text.setLength(0);
            }
        }
        return found;
    }
}
