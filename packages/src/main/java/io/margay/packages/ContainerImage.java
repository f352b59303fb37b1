package io.margay.packages;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/// An image for containers, as an archive that `docker load`, `podman load` and `skopeo` take: the
/// layout of the Open Container Initiative (image-spec 1.1), with the index of `docker save` beside
/// it. No daemon has a part in it. One layer has the system and Java, the other the program, the
/// cache of its classes and the first configuration.
final class ContainerImage {
    /// Memory beside the heap - classes, threads, buffers - gets the rest of what the container may
    /// use.
    static final String JAVA_OPTIONS = "-XX:MaxRAMPercentage=65.0";

    private static final String PROGRAM = "opt/margay";
    private static final String CONFIG_TYPE = "application/vnd.oci.image.config.v1+json";
    private static final String LAYER_TYPE = "application/vnd.oci.image.layer.v1.tar+gzip";
    private static final String MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";

    private final Path blobs;

    private ContainerImage(Path blobs) {
        this.blobs = blobs;
    }

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
        BaseSystem.install(system, Folders.empty(out.resolve("image-packages")));
        Path java = system.resolve(PROGRAM).resolve("java");
        Folders.copy(packaged.java(), java);
        Path program = Folders.empty(out.resolve("image-program"));
        Folders.copy(packaged.distribution().folder(), program.resolve(PROGRAM));
        packaged.site(program);
        Folders.settle(system);
        Folders.settle(program);
        cache(system, program, Folders.empty(out.resolve("image-cache")));

        Path layout = Folders.empty(out.resolve("image"));
        ContainerImage image =
                new ContainerImage(Files.createDirectories(layout.resolve("blobs/sha256")));
        image.write(packaged.distribution().version(), List.of(system, program), layout);
        String name = packaged.distribution().name() + "-image-" + Machine.DEBIAN_NAME + ".tar";
        return Folders.tar(layout, ".", false, out.resolve(name));
    }

    /// Has the program make the cache of its classes where it will run, in a view of both layers in
    /// which paths and times are those of the container, and puts it into the program's.
    private static void cache(Path system, Path program, Path scratch)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(program.resolve(PROGRAM).resolve("cache"));
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
                    /opt/margay/margay cache
                cp root/opt/margay/cache/*.aot upper
                """,
                scratch.toString(),
                system.toString(),
                program.toString(),
                JAVA_OPTIONS);
        Folders.copy(upper, folder);
        Folders.settle(folder);
    }

    private void write(String version, List<Path> folders, Path layout)
            throws IOException, InterruptedException {
        List<Blob> layers = new ArrayList<>();
        List<String> uncompressed = new ArrayList<>();
        for (Path folder : folders) {
            Path packed = blobs.resolve("layer");
            pack(folder, packed);
            try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
                uncompressed.add("sha256:" + digest(in));
            }
            layers.add(named(packed));
        }
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
        String tag = "margay:" + version;
        write(layout.resolve("oci-layout"), Map.of("imageLayoutVersion", "1.0.0"));
        Map<String, Object> reference = new TreeMap<>(described.descriptor(MANIFEST_TYPE));
        reference.put(
                "annotations",
                Map.of(
                        "io.containerd.image.name",
                        "docker.io/library/" + tag,
                        "org.opencontainers.image.ref.name",
                        version));
        write(
                layout.resolve("index.json"),
                Map.of("schemaVersion", 2, "manifests", List.of(reference)));
        write(
                layout.resolve("manifest.json"),
                List.of(
                        Map.of(
                                "Config", config.path(),
                                "RepoTags", List.of(tag),
                                "Layers", layers.stream().map(Blob::path).toList())));
    }

    private static Map<String, Object> configuration(String version, List<String> layers) {
        return Map.of(
                "created", Folders.CHANGED.toString(),
                "architecture", Machine.DEBIAN_NAME,
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
                                "Labels",
                                        Map.of(
                                                "org.opencontainers.image.title",
                                                "margay",
                                                "org.opencontainers.image.version",
                                                version)));
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
        write(file, value);
        return named(file);
    }

    private static void write(Path file, Object value) throws IOException {
        Files.writeString(file, JSON.std.asString(value), StandardCharsets.UTF_8);
    }

    private Blob named(Path file) throws IOException {
        String digest;
        try (InputStream in = Files.newInputStream(file)) {
            digest = digest(in);
        }
        Path named = Files.move(file, blobs.resolve(digest));
        return new Blob(digest, Files.size(named));
    }

    private static String digest(InputStream in) throws IOException {
        try {
            DigestInputStream digesting =
                    new DigestInputStream(in, MessageDigest.getInstance("SHA-256"));
            digesting.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
