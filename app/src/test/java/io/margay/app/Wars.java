package io.margay.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Makes applications for tests, as WAR files and as folders.
public final class Wars {
    private final StringBuilder servlets = new StringBuilder();
    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    private Wars() {}

    public static Wars with(String name, String text) {
        return new Wars().and(name, text);
    }

    public Wars and(String name, String text) {
        entries.put(name, text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /// A servlet of this module's tests, with its class in the WAR.
    public Wars servlet(Class<?> servlet, String pattern) throws IOException {
        type(servlet);
        servlets.append(
                """
                  <servlet>
                    <servlet-name>%1$s</servlet-name>
                    <servlet-class>%1$s</servlet-class>
                  </servlet>
                  <servlet-mapping>
                    <servlet-name>%1$s</servlet-name>
                    <url-pattern>%2$s</url-pattern>
                  </servlet-mapping>
                """
                        .formatted(servlet.getName(), pattern));
        return and(
                "WEB-INF/web.xml",
                """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                """
                        + servlets
                        + "</web-app>\n");
    }

    /// More at the end of a web.xml that there is.
    public Wars withinWebXml(String end) {
        String before = new String(entries.get("WEB-INF/web.xml"), StandardCharsets.UTF_8);
        return and("WEB-INF/web.xml", before.replace("</web-app>", end));
    }

    /// The library that a class comes from.
    public Wars library(Class<?> of) throws IOException {
        try {
            Path jar = Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
            entries.put("WEB-INF/lib/" + jar.getFileName(), Files.readAllBytes(jar));
            return this;
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    /// A further class of this module's tests.
    public Wars type(Class<?> type) throws IOException {
        return type(type.getName());
    }

    /// A further class of this module's tests, by its name.
    public Wars type(String name) throws IOException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = Wars.class.getClassLoader().getResourceAsStream(file)) {
            entries.put("WEB-INF/classes/" + file, in.readAllBytes());
        }
        return this;
    }

    public Path war(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
        return file;
    }

    public Path folder(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            Path file = folder.resolve(entry.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, entry.getValue());
        }
        return folder;
    }
}
