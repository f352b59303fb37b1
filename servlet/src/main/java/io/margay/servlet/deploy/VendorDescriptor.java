package io.margay.servlet.deploy;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.naming.Naming;
import io.margay.servlet.naming.NamingBuilder;
import io.margay.servlet.naming.ServerResources;
import io.margay.servlet.resource.Mount;
import io.margay.servlet.security.Realm;
import io.margay.servlet.settings.ErrorReports;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.RequestRewriting;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What one application declares for another server. Immutable.
public interface VendorDescriptor {
    /// That of an application that declares nothing.
    VendorDescriptor EMPTY =
            new VendorDescriptor() {
                @Override
                public WebAppDescriptor applyTo(
                        WebAppDescriptor descriptor,
                        Predicate<String> brought,
                        Consumer<String> warnings) {
                    return descriptor;
                }
            };

    /// Where a realm finds what it needs.
    ///
    /// @param users those of the server; null = it has none
    /// @param naming of the application; null = it has none, or none yet
    /// @param resources of the server
    /// @param loader of the application, for drivers; or of the libraries that several share
    /// @param shared whether it is for several applications
    record RealmEnvironment(
            @Nullable Realm users,
            @Nullable Naming naming,
            ServerResources resources,
            ClassLoader loader,
            boolean shared) {}

    /// A realm of the application's own, and what is to be closed when the application ends.
    record OwnRealm(Realm realm, List<AutoCloseable> closing) {
        public OwnRealm {
            closing = List.copyOf(closing);
        }
    }

    /// The application's descriptor with what is declared here.
    ///
    /// @param brought whether the application has a class of that name itself
    /// @param warnings takes what is not honoured
    WebAppDescriptor applyTo(
            WebAppDescriptor descriptor, Predicate<String> brought, Consumer<String> warnings);

    /// A web.xml that holds for every application that does not say otherwise.
    ///
    /// @param file its name for messages
    /// @param without classes of servlets that the container has of its own, and which are left out
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record CommonDescriptor(String file, byte[] content, Set<String> without) {
        public CommonDescriptor {
            without = Set.copyOf(without);
        }
    }

    /// What is common to applications; of two that say something the later one counts.
    default List<CommonDescriptor> common() {
        return List.of();
    }

    /// What of the descriptor is not honoured, each with file and line.
    default List<String> warnings() {
        return List.of();
    }

    /// Gives the application's loggers what it says of them, from now on.
    ///
    /// @return what ends that; null = it says nothing
    default @Nullable AutoCloseable loggers(ClassLoader loader) {
        return null;
    }

    /// Whether the application may see other applications.
    default boolean crossContext() {
        return false;
    }

    /// Whether servlets without a multipart configuration read multipart bodies.
    default boolean casualMultipart() {
        return false;
    }

    /// Files from elsewhere, in the order in which they are searched.
    default List<Mount> mounts() {
        return List.of();
    }

    /// Rules by which its requests are rewritten before it is asked; null = there are none.
    default @Nullable RequestRewriting rewriting() {
        return null;
    }

    /// What is shown of errors that the application has no page for; null = as the server says.
    default @Nullable ErrorReports errorReports() {
        return null;
    }

    /// Whether classes of shared libraries and of the container go before the application's own.
    default boolean containerFirst() {
        return false;
    }

    /// Which of its libraries are looked through; null = as the server says.
    default @Nullable LibraryScan libraryScan() {
        return null;
    }

    /// Whether folders without a welcome file are shown as lists of what they hold.
    ///
    /// @param declared the application's descriptor as it declares it
    /// @param brought whether the application has a class of that name itself
    default boolean listings(WebAppDescriptor declared, Predicate<String> brought) {
        return false;
    }

    /// Enters the resources that are declared here into the application's names.
    ///
    /// @param brought whether the application has a class of that name itself
    /// @param warnings takes what is not honoured
    default void addNames(
            NamingBuilder names, Predicate<String> brought, Consumer<String> warnings) {
        // None are declared.
    }

    /// Makes the realm that is declared here; null = none is.
    ///
    /// @param warnings takes what is not honoured
    default @Nullable OwnRealm realm(RealmEnvironment environment, Consumer<String> warnings) {
        return null;
    }
}
