package io.margay.compat.tomcat.javax;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.apache.tomcat.jakartaee.EESpecProfile;
import org.apache.tomcat.jakartaee.EESpecProfiles;
import org.apache.tomcat.jakartaee.TextConverter;
import org.jspecify.annotations.Nullable;

/// Converts one file of an application or library: the packages that Tomcat 9 supplied are named as
/// the container names them. Which packages those are, and which files are texts, says Tomcat's
/// migration tool. Stateless.
final class FileConversion {
    static final EESpecProfile PROFILE = EESpecProfiles.TOMCAT;

    private static final byte[] OLD = "javax".getBytes(StandardCharsets.US_ASCII);
    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    private static final String SERVICES = "META-INF/services/";
    private static final TextConverter TEXTS = new TextConverter();

    /// Pages and what they include; also outside of WEB-INF, where other files are as they are.
    private static final List<String> PAGES =
            List.of("jsp", "jspf", "jspx", "tag", "tagf", "tagx", "tld", "inc");

    /// Spring 2 and 3 look for these in `java.version`. A Java that has none of them is 1.4 to
    /// Spring 2, which then refuses annotations and typed collections, and 1.5 to Spring 3. Every
    /// version has the empty text in it.
    private static final Pattern OLD_JAVA = Pattern.compile("1\\.[567]\\.");

    private static final String SPRING_JAVA = "org/springframework/core/JdkVersion.class";

    private FileConversion() {}

    /// Whether a file of a library or below WEB-INF or META-INF may need conversion.
    static boolean wants(String name) {
        return isClass(name)
                || name.equals(MANIFEST)
                || name.contains(SERVICES)
                || TEXTS.accepts(name)
                || isPage(name);
    }

    static boolean isClass(String name) {
        return name.endsWith(".class");
    }

    /// Whether a file holds a part of a page.
    static boolean isPage(String name) {
        return PAGES.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }

    /// What a file is called afterwards.
    static String name(String name) {
        return name.contains("javax") ? PROFILE.convert(name) : name;
    }

    /// The converted content; null when nothing was to be done.
    static byte @Nullable [] convert(String name, byte[] content) throws IOException {
        if (name.endsWith(SPRING_JAVA)) {
            return ClassConstants.renamed(content, "1.", FileConversion::anyJava);
        }
        if (indexOf(content, OLD) < 0) {
            return null;
        }
        if (isClass(name)) {
            byte[] renamed = ClassConstants.renamed(content, "javax", FileConversion::renamed);
            byte[] rewritten = renamed == null ? null : RemovedCallsRewriter.rewritten(renamed);
            return rewritten == null ? renamed : rewritten;
        }
        return name.equals(MANIFEST) ? manifest(content, false) : text(content);
    }

    /// A manifest, without the digests of a signature; null when nothing was to be done.
    static byte @Nullable [] manifest(byte[] content, boolean signed) throws IOException {
        Manifest manifest = new Manifest(new ByteArrayInputStream(content));
        boolean changed = rename(manifest.getMainAttributes());
        for (Map.Entry<String, Attributes> entry : List.copyOf(manifest.getEntries().entrySet())) {
            Attributes attributes = entry.getValue();
            changed |= rename(attributes);
            if (signed) {
                changed |= attributes.keySet().removeIf(key -> key.toString().endsWith("-Digest"));
                if (attributes.isEmpty()) {
                    manifest.getEntries().remove(entry.getKey());
                }
            }
        }
        if (!changed) {
            return null;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        manifest.write(out);
        return out.toByteArray();
    }

    private static boolean rename(Attributes attributes) {
        boolean changed = false;
        for (Map.Entry<Object, Object> entry : attributes.entrySet()) {
            if (entry.getValue() instanceof String value) {
                String renamed = renamed(value);
                changed |= !renamed.equals(value);
                entry.setValue(renamed);
            }
        }
        return changed;
    }

    /// Byte for byte but for the names, whatever the encoding: all that have ASCII as a part.
    private static byte @Nullable [] text(byte[] content) {
        String before = new String(content, StandardCharsets.ISO_8859_1);
        String after = renamed(before);
        return after.equals(before) ? null : after.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String anyJava(String text) {
        return OLD_JAVA.matcher(text).matches() ? "" : text;
    }

    private static String renamed(String text) {
        return RemovedApi.renamed(PROFILE.convert(text));
    }

    /// Where bytes begin within others; -1 = nowhere.
    static int indexOf(byte[] bytes, byte[] wanted) {
        int last = bytes.length - wanted.length;
        for (int at = 0; at <= last; at++) {
            if (bytes[at] == wanted[0] && matches(bytes, at, wanted)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean matches(byte[] bytes, int at, byte[] wanted) {
        for (int i = 1; i < wanted.length; i++) {
            if (bytes[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
