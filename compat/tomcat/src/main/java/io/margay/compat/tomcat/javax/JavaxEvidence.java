package io.margay.compat.tomcat.javax;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// Tells whether an application was written for javax.servlet: by its descriptor, by its own
/// classes, by the classes that it declares, by its pages, and only if all of these are silent by
/// its libraries. Once something has decided, nothing more is read, but for its own classes, of
/// which one for jakarta goes before all for javax. Confined to the deploying thread.
final class JavaxEvidence {
    private static final String JAKARTA_DESCRIPTOR = "jakarta.ee/xml/ns/";
    private static final Pattern JAVAX = Pattern.compile("javax[/.](servlet|el|websocket)[/.]");

    /// What Tomcat 9 knew besides: evidence where libraries of the server are for javax.
    private static final Pattern FURTHER =
            Pattern.compile(
                    "javax[/.](servlet|el|websocket|annotation|ejb|mail|persistence"
                            + "|security[/.]auth[/.]message|transaction)[/.]"
                            + "(?!xa[/.]|processing[/.])");

    private static final Pattern JAKARTA = Pattern.compile("jakarta[/.](servlet|el|websocket)[/.]");
    private static final Pattern DECLARED =
            Pattern.compile("<(?:servlet|filter|listener)-class>\\s*([\\w.$]+)\\s*</");

    /// What only pages for older servers call.
    private static final Pattern REMOVED =
            Pattern.compile(
                    "\\b(encodeUrl|encodeRedirectUrl|isRequestedSessionIdFromUrl|getValueNames"
                            + "|putValue|removeValue)\\s*\\(");

    private static final String INITIALIZER =
            "META-INF/services/%s.servlet.ServletContainerInitializer";

    private final Path folder;
    private final Pattern javax;
    private final ConversionLimits limits;
    private @Nullable String witness;
    private boolean jakarta;

    private JavaxEvidence(Path folder, Pattern javax, ConversionLimits limits) {
        this.folder = folder;
        this.javax = javax;
        this.limits = limits;
    }

    /// The file that shows that an application was written for javax; null = it was not.
    ///
    /// @param likely whether any of the packages tells that Tomcat 9 knew
    static @Nullable String of(Path folder, boolean likely, ConversionLimits limits)
            throws IOException {
        JavaxEvidence evidence = new JavaxEvidence(folder, likely ? FURTHER : JAVAX, limits);
        evidence.look();
        return evidence.jakarta ? null : evidence.witness;
    }

    /// Whether libraries of the server are for javax: some of them are, and none is for jakarta
    /// alone.
    ///
    /// @param libraries JARs and folders of classes
    static boolean ofLibraries(List<Path> libraries, ConversionLimits limits) throws IOException {
        boolean found = false;
        for (Path library : libraries) {
            JavaxEvidence evidence = new JavaxEvidence(library, JAVAX, limits);
            if (Files.isDirectory(library)) {
                evidence.files(library, FileConversion::isClass);
            } else {
                try (ZipFile zip = new ZipFile(library.toFile())) {
                    evidence.classes(zip, library.toString());
                } catch (ZipException e) {
                    continue; // It has no classes, then.
                }
            }
            if (evidence.jakarta && evidence.witness == null) {
                return false;
            }
            found |= evidence.witness != null;
        }
        return found;
    }

    private void look() throws IOException {
        Path webXml = folder.resolve("WEB-INF/web.xml");
        String descriptor = Files.isRegularFile(webXml) ? text(Files.readAllBytes(webXml)) : "";
        if (descriptor.contains(JAKARTA_DESCRIPTOR)) {
            jakarta = true;
            return;
        }
        files(folder.resolve("WEB-INF/classes"), FileConversion::isClass);
        if (undecided()) {
            libraries((library, shown) -> declared(library, shown, descriptor));
        }
        if (undecided()) {
            hear("WEB-INF/web.xml", descriptor);
        }
        if (undecided()) {
            files(folder, FileConversion::isPage);
        }
        if (undecided()) {
            libraries(this::classes);
        }
    }

    private boolean undecided() {
        return !jakarta && witness == null;
    }

    private void hear(String file, String text) {
        if (JAKARTA.matcher(text).find()) {
            jakarta = true;
        } else if (witness == null
                && (javax.matcher(text).find()
                        || (FileConversion.isPage(file) && REMOVED.matcher(text).find()))) {
            witness = file;
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private void files(Path below, Predicate<String> wanted) throws IOException {
        if (!Files.isDirectory(below)) {
            return;
        }
        Files.walkFileTree(
                below,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        if (attributes.isRegularFile()
                                && attributes.size() <= limits.fileBytesMax()
                                && wanted.test(file.getFileName().toString())) {
                            String shown = folder.relativize(file).toString();
                            hear(shown, text(Files.readAllBytes(file)));
                        }
                        return jakarta ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
                    }
                });
    }

    /// Looks at a library.
    @FunctionalInterface
    private interface Look {
        void at(ZipFile library, String shown) throws IOException;
    }

    private void libraries(Look look) throws IOException {
        Path below = folder.resolve("WEB-INF/lib");
        if (!Files.isDirectory(below)) {
            return;
        }
        List<Path> libraries = new ArrayList<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(below, "*.jar")) {
            jars.forEach(libraries::add);
        }
        libraries.sort(null);
        for (Path library : libraries) {
            try (ZipFile zip = new ZipFile(library.toFile())) {
                look.at(zip, "WEB-INF/lib/" + library.getFileName());
            } catch (IOException e) {
                continue; // Deployment will say so, and of which library.
            }
            if (!undecided()) {
                return;
            }
        }
    }

    /// What a library registers, and the classes that web.xml names.
    private void declared(ZipFile library, String shown, String descriptor) throws IOException {
        if (library.getEntry(INITIALIZER.formatted("jakarta")) != null) {
            jakarta = true;
        } else if (library.getEntry(INITIALIZER.formatted("javax")) != null) {
            witness = shown;
        }
        Matcher declared = DECLARED.matcher(descriptor);
        while (undecided() && declared.find()) {
            ZipEntry entry = library.getEntry(declared.group(1).replace('.', '/') + ".class");
            if (entry != null) {
                hear(library, entry, shown);
            }
        }
    }

    private void classes(ZipFile library, String shown) throws IOException {
        Enumeration<? extends ZipEntry> entries = library.entries();
        while (undecided() && entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            if (FileConversion.isClass(entry.getName())) {
                hear(library, entry, shown);
            }
        }
    }

    private void hear(ZipFile library, ZipEntry entry, String shown) throws IOException {
        if (entry.getSize() <= limits.fileBytesMax()) {
            try (InputStream in = library.getInputStream(entry)) {
                byte[] content = in.readNBytes((int) limits.fileBytesMax());
                hear(shown + ", " + entry.getName(), text(content));
            }
        }
    }
}
