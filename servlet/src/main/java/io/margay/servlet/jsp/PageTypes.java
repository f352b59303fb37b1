package io.margay.servlet.jsp;

import io.margay.servlet.settings.PageClasses;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// The class loader that the page compiler reads class files from: the application's, with other
/// files for the classes of the API. What is loaded by it is the application's. Thread-safe.
final class PageTypes extends ClassLoader {
    private static final String API = "jakarta/";

    private final ClassLoader application;
    private final PageClasses classes;

    PageTypes(ClassLoader application, PageClasses classes) {
        super(application);
        this.application = application;
        this.classes = classes;
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        InputStream found = application.getResourceAsStream(name);
        if (!name.startsWith(API) || !name.endsWith(".class")) {
            return found;
        }
        try (found) {
            byte[] seen = classes.seen(name, found == null ? null : found.readAllBytes());
            return seen == null ? null : new ByteArrayInputStream(seen);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
