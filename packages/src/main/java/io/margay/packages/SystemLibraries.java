package io.margay.packages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What a Java runtime wants of the system that it runs on: the version of the C library, and
/// libraries that some builds of OpenJDK bring and others expect there. Read from its files by
/// `readelf`, for any kind of machine.
///
/// @param glibc the least version, as 2.34
/// @param names of other shared libraries, sorted
record SystemLibraries(String glibc, Set<String> names) {
    private static final Pattern NEEDED = Pattern.compile("\\(NEEDED\\).*\\[([^]]+)]");
    private static final Pattern SYMBOLS = Pattern.compile("\\bGLIBC_2\\.([0-9]{1,4})\\b");

    /// Libraries for windows and sound, which no server opens.
    private static final Set<String> DESKTOP =
            Set.of("libawt_xawt.so", "libjawt.so", "libjsound.so", "libsplashscreen.so");

    private static final Pattern GLIBC =
            Pattern.compile(
                    "(lib(c|m|dl|rt|pthread)\\.so\\.6|lib(dl|rt|pthread)\\.so.*|ld-linux.*)");

    /// Debian's package of each library that some build of OpenJDK is known to want.
    private static final Map<String, String> PACKAGES =
            Map.of(
                    "libfreetype.so.6", "libfreetype6",
                    "libgcc_s.so.1", "libgcc-s1",
                    "libharfbuzz.so.0", "libharfbuzz0b",
                    "libjpeg.so.62", "libjpeg62-turbo",
                    "liblcms2.so.2", "liblcms2-2",
                    "libpng16.so.16", "libpng16-16 | libpng16-16t64",
                    "libstdc++.so.6", "libstdc++6",
                    "libz.so.1", "zlib1g");

    static SystemLibraries of(Path java) throws IOException, InterruptedException {
        List<Path> files =
                binaries(java).stream().filter(file -> !DESKTOP.contains(name(file))).toList();
        Set<String> own = new TreeSet<>();
        files.forEach(file -> own.add(name(file)));
        Set<String> names = new TreeSet<>();
        int minor = 0;
        for (Path file : files) {
            String said = Folders.output("readelf", "--dynamic", "--version-info", "-W", "" + file);
            Matcher needed = NEEDED.matcher(said);
            while (needed.find()) {
                String name = needed.group(1);
                if (!own.contains(name) && !GLIBC.matcher(name).matches()) {
                    names.add(name);
                }
            }
            Matcher symbols = SYMBOLS.matcher(said);
            while (symbols.find()) {
                minor = Math.max(minor, Integer.parseInt(symbols.group(1)));
            }
        }
        return new SystemLibraries("2." + minor, names);
    }

    /// Every program and library of a folder, sorted.
    static List<Path> binaries(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(SystemLibraries::isBinary).sorted().toList();
        }
    }

    private static boolean isBinary(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            try (var in = Files.newInputStream(file)) {
                String magic = new String(in.readNBytes(4), StandardCharsets.ISO_8859_1);
                return magic.equals("\177ELF");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /// Debian's packages, by the libraries that they bring.
    ///
    /// @throws IOException if a library is of a package that nobody has thought of
    Map<String, String> packages() throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (String name : names) {
            String known = PACKAGES.get(name);
            if (known == null) {
                throw new IOException("no package is known for " + name + ", which Java wants");
            }
            found.put(name, known);
        }
        return found;
    }
}
