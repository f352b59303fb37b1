package io.margay.servlet.deploy.lost;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Finds the classes that an application refers to and that neither it nor Java has any more: what
/// would otherwise be a NoClassDefFoundError of one of its requests; and copies of ASM that are
/// older than Java's class files. Used by one thread.
public final class LostClasses {
    private static final int CLASS_BYTES_MAX = 16 << 20;

    /// Lines; an application with more is told so by these.
    private static final int LINES_MAX = 30;

    private static final String SECURITY_MANAGER = "System.setSecurityManager";

    private final Predicate<String> found;
    private final Map<String, Boolean> known = new HashMap<>();

    /// By archive and what is lost: the first class that refers to it.
    private final Map<String, String> lines = new TreeMap<>();

    private LostClasses(Predicate<String> found) {
        this.found = found;
    }

    /// What the classes of an application need and have not, a line each.
    ///
    /// @param folder of the unpacked application
    /// @param found whether its class loader finds a class, by its internal name
    public static List<String> of(Path folder, Predicate<String> found) throws IOException {
        LostClasses classes = new LostClasses(found);
        Path own = folder.resolve("WEB-INF/classes");
        if (Files.isDirectory(own)) {
            try (Stream<Path> files = Files.walk(own)) {
                for (Path file : files.filter(LostClasses::isClass).sorted().toList()) {
                    classes.look("WEB-INF/classes", Files.readAllBytes(file));
                }
            }
        }
        Path libraries = folder.resolve("WEB-INF/lib");
        if (Files.isDirectory(libraries)) {
            try (Stream<Path> files = Files.list(libraries)) {
                for (Path jar : files.filter(Files::isRegularFile).sorted().toList()) {
                    classes.library(jar);
                }
            }
        }
        return classes.lines.values().stream().limit(LINES_MAX).toList();
    }

    /// What to do about a class that is not there, in parentheses after a space; empty if Java
    /// never had it.
    ///
    /// @param type its name, with dots or slashes
    public static String remedy(String type) {
        LostApi api = LostApi.of(type.replace('.', '/'));
        return api == null
                ? ""
                : " (%s, which Java %d and newer do not have: %s)"
                        .formatted(api.name(), api.since(), api.remedy());
    }

    private static boolean isClass(Path file) {
        return file.toString().endsWith(".class") && Files.isRegularFile(file);
    }

    private void library(Path jar) throws IOException {
        if (!jar.toString().endsWith(".jar")) {
            return;
        }
        String name = "WEB-INF/lib/" + jar.getFileName();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".class")
                        && !entry.getName().startsWith("META-INF/")
                        && entry.getSize() <= CLASS_BYTES_MAX) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        look(name, in.readNBytes(CLASS_BYTES_MAX));
                    }
                }
            }
        }
    }

    private void look(String archive, byte[] bytes) {
        try {
            var type = ClassFile.of().parse(bytes);
            String user = type.thisClass().asInternalName().replace('/', '.');
            if (archive.endsWith(".jar")) {
                OldAsm.of(type)
                        .ifPresent(says -> lines.putIfAbsent(archive + " ASM", archive + says));
            }
            for (PoolEntry entry : type.constantPool()) {
                switch (entry) {
                    case ClassEntry named -> refers(archive, user, named.asInternalName());
                    case MemberRefEntry member when setsSecurityManager(member) ->
                            line(
                                    archive,
                                    user,
                                    SECURITY_MANAGER,
                                    "calls " + SECURITY_MANAGER,
                                    24,
                                    "remove the call, which throws UnsupportedOperationException");
                    default -> {
                        // Says nothing of other classes.
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            // Not a class file of this version of Java: deploying says more of it.
        }
    }

    private static boolean setsSecurityManager(MemberRefEntry member) {
        return member.name().equalsString("setSecurityManager")
                && member.owner().asInternalName().equals("java/lang/System");
    }

    private void refers(String archive, String user, String type) {
        LostApi api = LostApi.of(type);
        if (api != null && !known.computeIfAbsent(type, found::test)) {
            String what = "refers to " + type.replace('/', '.') + " (" + api.name() + ")";
            line(archive, user, api.name(), what, api.since(), api.remedy());
        }
    }

    private void line(
            String archive, String user, String key, String what, int since, String remedy) {
        lines.putIfAbsent(
                archive + " " + key,
                archive
                        + ": "
                        + user
                        + " "
                        + what
                        + ", which Java "
                        + since
                        + " and newer do not have: "
                        + remedy);
    }

    /// Whether a line is of the application's own classes, rather than of a library, which may have
    /// classes that nobody uses.
    public static boolean isOwn(String line) {
        return line.startsWith("WEB-INF/classes");
    }
}
