package io.margay.lab.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Digests of the files that a server was configured by. Stateless.
public final class Digests {
    private static final List<String> KINDS =
            List.of(".conf", ".xml", ".properties", ".cfg", ".ini", ".yaml");

    private Digests() {}

    /// SHA-256 of each configuration file below `folder`, by its path below `base`.
    public static Map<String, String> of(Path folder, Path base) throws IOException {
        Map<String, String> digests = new LinkedHashMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted().toList()) {
                Path path = base.relativize(file);
                String name = path.toString();
                if (Files.isRegularFile(file)
                        && !isScratch(path)
                        && KINDS.stream().anyMatch(name::endsWith)) {
                    digests.put(name, sha256(Files.readAllBytes(file)));
                }
            }
        }
        return digests;
    }

    /// Whether a server has written it below its own work folder.
    private static boolean isScratch(Path path) {
        for (int i = 1; i < path.getNameCount() - 1; i++) {
            if (path.getName(i).toString().equals("work")) {
                return true;
            }
        }
        return false;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
