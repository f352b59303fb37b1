package io.margay.packages;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;

/// An image for containers, as an archive that `docker load`, `podman load` and `skopeo` take: the
/// layout of the Open Container Initiative (image-spec 1.1), with the index of `docker save` beside
/// it. No daemon has a part in it. One layer has the system and Java, one the program and the first
/// configuration: equal sources give equal images. A second image, for this kind of machine alone,
/// has these and a third layer, the cache of the program's classes, which is another each time.
record ContainerImage(Packaged packaged, Path blobs) {
    /// Memory beside the heap - classes, threads, buffers - gets the rest of what the container may
    /// use.
    static final String JAVA_OPTIONS = "-XX:MaxRAMPercentage=65.0";

    private static final String PROGRAM = "opt/margay";
    private static final String CONFIG_TYPE = "application/vnd.oci.image.config.v1+json";
    private static final String LAYER_TYPE = "application/vnd.oci.image.layer.v1.tar+gzip";
    private static final String MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";

    /// A part of an image, named by what is in it.
    private record Blob(String digest, long bytes) {
        Map<String, Object> descriptor(String type) {
            return Map.of("mediaType", type, "digest", "sha256:" + digest, "size", bytes);
        }

        String path() {
            return "blobs/sha256/" + digest;
        }
    }

    static Path make(Packaged packaged, Path out) throws IOException, InterruptedException {
        Path system = Folders.empty(out.resolve("image-system"));
        Set<String> wanted = new TreeSet<>();
        for (String names : SystemLibraries.of(packaged.java()).packages().values()) {
            wanted.add(names.substring(names.lastIndexOf(' ') + 1));
        }
        List<DebianArchive.Unpacked> unpacked =
                BaseSystem.install(
                        system, out.resolve("image-packages"), packaged.target(), wanted);
        Path java = system.resolve(PROGRAM).resolve("java");
        Folders.copy(packaged.java(), java);
        Path program = Folders.empty(out.resolve("image-program"));
        Folders.copy(packaged.distribution().folder(), program.resolve(PROGRAM));
        packaged.site(program, "image.yaml");
        String name = packaged.distribution().name() + "-image-" + packaged.target().debian;
        Path made = out.resolve(name + ".tar");
        Sbom.write(packaged, unpacked, Packaged.bill(made));
        Files.copy(Packaged.bill(made), program.resolve(PROGRAM).resolve("sbom.cdx.json"));
        Folders.settle(system);
        Folders.settle(program);
        String version = packaged.distribution().version();
        image(packaged, List.of(system, program), version, made);
        if (packaged.target() != Target.own()) {
            return made;
        }
        Path cache = cache(system, program, Folders.empty(out.resolve("image-cache")));
        Path cached = out.resolve(name + "-cache.tar");
        Files.deleteIfExists(Packaged.bill(cached));
        Files.copy(Packaged.bill(made), Packaged.bill(cached));
        return image(packaged, List.of(system, program, cache), version + "-cache", cached);
    }

    private static Path image(Packaged packaged, List<Path> layers, String tag, Path file)
            throws IOException, InterruptedException {
        Path layout = Folders.empty(file.resolveSibling("image"));
        ContainerImage image =
                new ContainerImage(
                        packaged, Files.createDirectories(layout.resolve("blobs/sha256")));
        image.write(layers, tag, layout);
        return Folders.tar(layout, ".", false, file);
    }

    /// Has the program make the cache of its classes where it will run, in a view of both layers in
    /// which paths and times are those of the container.
    ///
    /// @return a layer with it. What is in it comes of a run, and is another each time.
    private static Path cache(Path system, Path program, Path scratch)
            throws IOException, InterruptedException {
        Path layer = Files.createDirectories(scratch.resolve("layer"));
        Path folder = Files.createDirectories(layer.resolve(PROGRAM).resolve("cache"));
        Path upper = Files.createDirectories(scratch.resolve("upper"));
        Folders.run(
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "sh",
                "-ec",
                """
                cd "$0"
                mkdir memory root
                mount -t tmpfs none memory
                mkdir memory/upper memory/work
                mount -t overlay overlay root \
                    -o "lowerdir=$2:$1,upperdir=memory/upper,workdir=memory/work"
                mount -t proc proc root/proc
                mount --bind /dev root/dev
                chroot root /bin/env -i PATH=/bin HOME=/ "MARGAY_JAVA_OPTS=$3" \
                    /opt/margay/margay cache --kind both
                cp root/opt/margay/cache/*.aot upper
                """,
                scratch.toString(),
                system.toString(),
                program.toString(),
                JAVA_OPTIONS);
        Folders.copy(upper, folder);
        Folders.settle(layer);
        return layer;
    }

    private void write(List<Path> folders, String tagged, Path layout)
            throws IOException, InterruptedException {
        List<Blob> layers = new ArrayList<>();
        List<String> uncompressed = new ArrayList<>();
        for (Path folder : folders) {
            Path packed = blobs.resolve("layer");
            pack(folder, packed);
            try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
                uncompressed.add("sha256:" + Folders.digest(in));
            }
            layers.add(named(packed));
        }
        String version = packaged.distribution().version();
        Blob config = json(configuration(version, uncompressed));
        Map<String, Object> manifest =
                Map.of(
                        "schemaVersion",
                        2,
                        "mediaType",
                        MANIFEST_TYPE,
                        "config",
                        config.descriptor(CONFIG_TYPE),
                        "layers",
                        layers.stream().map(l -> l.descriptor(LAYER_TYPE)).toList());
        Blob described = json(manifest);
        String tag = "margay:" + tagged;
        Json.write(layout.resolve("oci-layout"), Map.of("imageLayoutVersion", "1.0.0"));
        Map<String, Object> reference = new TreeMap<>(described.descriptor(MANIFEST_TYPE));
        reference.put(
                "annotations",
                Map.of(
                        "io.containerd.image.name",
                        "docker.io/library/" + tag,
                        "org.opencontainers.image.ref.name",
                        tagged));
        Json.write(
                layout.resolve("index.json"),
                Map.of("schemaVersion", 2, "manifests", List.of(reference)));
        Json.write(
                layout.resolve("manifest.json"),
                List.of(
                        Map.of(
                                "Config", config.path(),
                                "RepoTags", List.of(tag),
                                "Layers", layers.stream().map(Blob::path).toList())));
    }

    private Map<String, Object> configuration(String version, List<String> layers) {
        return Map.of(
                "created", Folders.CHANGED.toString(),
                "architecture", packaged.target().debian,
                "os", "linux",
                "rootfs", Map.of("type", "layers", "diff_ids", layers),
                "config",
                        Map.of(
                                "User", BaseSystem.USER + ":" + BaseSystem.USER,
                                "WorkingDir", "/var/lib/margay",
                                "Env",
                                        List.of(
                                                "PATH=/opt/margay:/bin",
                                                "MARGAY_JAVA_OPTS=" + JAVA_OPTIONS),
                                "Entrypoint", List.of("/opt/margay/margay"),
                                "Cmd", List.of("run", "/etc/margay/margay.yaml"),
                                "ExposedPorts", Map.of("8080/tcp", Map.of()),
                                "StopSignal", "SIGTERM",
                                "Labels", labels(version)));
    }

    /// What the image's specification has names for.
    private static Map<String, Object> labels(String version) {
        String prefix = "org.opencontainers.image.";
        Map<String, Object> labels = new TreeMap<>();
        labels.put(prefix + "title", "margay");
        labels.put(prefix + "description", "Web server, Jakarta Servlet container and gateway");
        labels.put(prefix + "version", version);
        labels.put(prefix + "created", Folders.CHANGED.toString());
        labels.put(prefix + "licenses", "Apache-2.0");
        labels.put(prefix + "vendor", "The Margay project");
        labels.put(prefix + "url", "https://margay.io");
        labels.put(prefix + "source", "https://margay.io/margay.git");
        labels.put(prefix + "base.name", "debian:" + DebianArchive.RELEASE);
        String revision = System.getenv("MARGAY_REVISION");
        if (revision != null) {
            labels.put(prefix + "revision", revision);
        }
        return labels;
    }

    /// Everything but the server's own folder is root's, so that the server cannot change it.
    private static void pack(Path folder, Path packed) throws IOException, InterruptedException {
        Path own = folder.resolve("var/lib/margay");
        if (Files.exists(own)) {
            Folders.run("chown", "-R", BaseSystem.USER + ":" + BaseSystem.USER, own.toString());
        }
        Path _ = Folders.pack(folder, ".", true, packed);
    }

    private Blob json(Map<String, Object> value) throws IOException {
        Path file = blobs.resolve("json");
        Json.write(file, value);
        return named(file);
    }

    private Blob named(Path file) throws IOException {
        String digest = Folders.digest(file);
        Path named = Files.move(file, blobs.resolve(digest));
        return new Blob(digest, Files.size(named));
    }
}
