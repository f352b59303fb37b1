package io.margay.servlet.deploy;

import io.margay.servlet.WebApp;
import io.margay.servlet.deploy.WebAppsFolder.Application;
import io.margay.servlet.deploy.lost.LostClasses;
import io.margay.servlet.descriptor.DeclaredClasses;
import io.margay.servlet.descriptor.DescriptorAssembly;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.inject.Beans;
import io.margay.servlet.jsp.JspSetup;
import io.margay.servlet.jsp.PageCheck;
import io.margay.servlet.naming.Naming;
import io.margay.servlet.naming.NamingBuilder;
import io.margay.servlet.resource.FolderResources;
import io.margay.servlet.resource.MountedFiles;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.security.MissingRoles;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.SingleSignOn;
import io.margay.servlet.settings.ApplicationConversion;
import io.margay.servlet.settings.ContextRegistry;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.PageClasses;
import io.margay.servlet.settings.RequestRewriting;
import io.margay.servlet.settings.WebAppSettings;
import io.margay.servlet.settings.WebAppSettings.Initializer;
import io.margay.servlet.xml.DescriptorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// Makes running applications of WARs and folders. Thread-safe: several applications may be
/// deployed at once, and one that fails leaves the others alone.
public final class Deployer {
    private static final System.Logger LOG = System.getLogger(Deployer.class.getName());

    private final DeploySettings settings;
    private final WorkFolder work;
    private final WarUnpacker unpacker;
    private final ClassIndexes indexes;
    private final ClassLoader container;

    public Deployer(DeploySettings settings) {
        this.settings = settings;
        work = new WorkFolder(settings.workFolder());
        unpacker = new WarUnpacker(work.unpacked(), settings.warLimits());
        indexes = new ClassIndexes(work.indexes());
        container =
                settings.container() instanceof SharedLibraries shared
                        ? shared
                        : new ContainerClasses(settings.container(), settings.vendor());
    }

    /// Deploys and starts an application.
    ///
    /// @param source a WAR, or a folder, which is used in place
    /// @param contextPath empty for the root
    /// @throws DeploymentException saying what is wrong with it and what to do
    public Deployment deploy(Path source, String contextPath) {
        return deploy(source, contextPath, Map.of());
    }

    /// The same with context parameters that take the place of those in web.xml.
    public Deployment deploy(Path source, String contextPath, Map<String, String> params) {
        return deploy(application(source, contextPath), params);
    }

    /// The version is that which the name of the file says.
    private static Application application(Path source, String contextPath) {
        return new Application(source, contextPath, WebAppsFolder.named(source).version());
    }

    /// The same for a version that the name of the file need not say.
    public Deployment deploy(Application app, Map<String, String> params) {
        Path source = app.file();
        String contextPath = app.contextPath();
        if (!WebAppsFolder.contextPathAllowed(contextPath)
                || (!contextPath.isEmpty() && !contextPath.startsWith("/"))) {
            throw new DeploymentException(
                    source
                            + ": the context path \""
                            + WarCheck.printable(contextPath)
                            + "\" cannot be. Write / or /name.");
        }
        String key = WorkFolder.key(app);
        return with(source, key, origin -> start(app, key, origin, params));
    }

    /// What a check has found that is no fault.
    ///
    /// @param conversion how the application is converted from another platform; null = it needs no
    ///   conversion
    /// @param pagesLeftOut how many pages it has that were not compiled
    /// @param notes constraints and realms that let nobody in, web fragments of libraries that are
    ///   skipped, and what of the application's own files for another server is not honoured, a
    ///   line each
    public record Checked(@Nullable String conversion, int pagesLeftOut, List<String> notes) {}

    /// Reads what an application declares, as [#deploy] does, and starts nothing of it.
    ///
    /// @throws DeploymentException saying what is wrong with it and what to do
    public Checked check(Path source) {
        return check(application(source, ""), false);
    }

    /// The same for where it is served.
    ///
    /// @param pages whether its pages are compiled, which has validators of its tag libraries run
    public Checked check(Application app, boolean pages) {
        String key = WorkFolder.key(app);
        return with(app.file(), key, origin -> checked(app, key, origin, pages));
    }

    private Checked checked(Application which, String key, Origin origin, boolean pages)
            throws IOException {
        Path folder = origin.folder();
        String contextPath = which.contextPath();
        DescriptorAssembly assembly = new DescriptorAssembly(settings.descriptorLimits());
        VendorDescriptor vendor = vendorDescriptor(which, folder);
        MountedFiles mounted = mounted(vendor, origin);
        LibraryScan scan = scan(vendor);
        ApplicationArchives archives = archives("check", folder, mounted, assembly, scan);
        WebAppClassLoader loader = loader("check", vendor, mounted, archives);
        try (WebResources resources =
                mounted.around(new FolderResources(folder, resourceLibraries(archives, scan)))) {
            common(vendor, assembly);
            WebAppDescriptor descriptor =
                    vendor.applyTo(
                            archives.assemble(),
                            type -> loader.findClassFile(type) != null,
                            _ -> {});
            DeclaredClasses declared =
                    DeclaredClasses.of(descriptor, assembly, loader, archives.classes());
            List<String> errors = new ArrayList<>(declared.errors());
            errors.addAll(declared.warnings());
            List<String> lost =
                    LostClasses.of(folder, type -> loader.getResource(type + ".class") != null);
            lost.stream().filter(LostClasses::isOwn).forEach(errors::add);
            refuse(errors);
            List<String> notes = new ArrayList<>();
            lost.stream().filter(line -> !LostClasses.isOwn(line)).forEach(notes::add);
            vendor.warnings().stream().filter(Deployer::isOfOwnFile).forEach(notes::add);
            notes.addAll(archives.fragmentsLeftOut());
            Realm realm = realm(vendor, contextPath, loader, notes);
            notes.addAll(MissingRoles.of(realm, descriptor));
            JspSetup jsp =
                    new JspSetup(settings.jsp(), true, work.pages(key, folder), origin.pages());
            WebApp app =
                    WebApp.create(
                            jsp.extend(descriptor),
                            resources,
                            loader,
                            WebAppSettings.at(contextPath)
                                    .withRealm(realm)
                                    .withAttributes(jsp.attributes(loader, scan)));
            PageCheck check = new PageCheck(jsp, app.context());
            if (pages) {
                refuse(check.problems());
            }
            return new Checked(origin.conversion(), pages ? 0 : check.pages(), notes);
        } finally {
            Deployment.close(loader);
        }
    }

    /// Descriptors elsewhere are accounted for with the server they are of.
    private static boolean isOfOwnFile(String warning) {
        return warning.startsWith("META-INF/") || warning.startsWith("WEB-INF/");
    }

    private WebAppSettings own(Application app, String key) {
        return WebAppSettings.at(app.contextPath())
                .withSessionFile(work.sessions(key))
                .withSessionVersion(app.version());
    }

    /// The realm of an application that is checked. One of its own is made without its names, and
    /// asked for no user.
    ///
    /// @param told takes what is not honoured of it
    private @Nullable Realm realm(
            VendorDescriptor vendor,
            String contextPath,
            WebAppClassLoader loader,
            List<String> told) {
        Realm server = settings.webApp().apply(WebAppSettings.at(contextPath)).realm();
        VendorDescriptor.OwnRealm own =
                vendor.realm(
                        new VendorDescriptor.RealmEnvironment(
                                server, null, settings.resources(), loader, false),
                        told::add);
        if (own == null) {
            return server;
        }
        own.closing().forEach(loader::atEnd);
        return own.realm();
    }

    /// The files that an application has from elsewhere, converted as it has been.
    private MountedFiles mounted(VendorDescriptor vendor, Origin origin) throws IOException {
        MountedFiles mounted = MountedFiles.of(vendor.mounts(), work.nested());
        if (origin.converted() != null) {
            for (MountedFiles.ClassPath path : List.of(mounted.before, mounted.after)) {
                path.folders = settings.conversion().converted(path.folders, origin.places());
                path.libraries = settings.conversion().converted(path.libraries, origin.places());
            }
        }
        return mounted;
    }

    private LibraryScan scan(VendorDescriptor vendor) {
        LibraryScan own = vendor.libraryScan();
        return own == null ? settings.libraryScan() : own;
    }

    private ApplicationArchives archives(
            String name,
            Path folder,
            MountedFiles mounted,
            DescriptorAssembly assembly,
            LibraryScan scan)
            throws IOException {
        return ApplicationArchives.read(
                name,
                folder,
                mounted.before.libraries,
                mounted.after.libraries,
                shared(scan, SharedLibraries::declaring),
                assembly,
                scan.features(),
                indexes);
    }

    /// Libraries whose files the application serves: its own, then those that are shared.
    private List<Path> resourceLibraries(ApplicationArchives archives, LibraryScan scan) {
        List<Path> all = new ArrayList<>(archives.resourceLibraries());
        all.addAll(shared(scan, SharedLibraries::withResources));
        return all;
    }

    /// Those of the shared libraries that are looked through.
    private List<Path> shared(LibraryScan scan, Function<SharedLibraries, List<Path>> which) {
        return scan.shared() && container instanceof SharedLibraries shared
                ? which.apply(shared).stream().filter(scan.features()::has).toList()
                : List.of();
    }

    private WebAppClassLoader loader(
            String name, VendorDescriptor vendor, MountedFiles mounted, ApplicationArchives own) {
        List<Path> classes = new ArrayList<>(mounted.before.folders);
        if (own.classes() != null) {
            classes.add(own.classes());
        }
        classes.addAll(mounted.after.folders);
        return new WebAppClassLoader(
                name, classes, own.libraries(), container, vendor.containerFirst());
    }

    private static void refuse(List<String> errors) {
        if (!errors.isEmpty()) {
            throw new DescriptorException(errors);
        }
    }

    /// Where an application is deployed from.
    ///
    /// @param unpacked of a WAR, or the folder that was given
    /// @param folder the same, or what it was converted into
    /// @param converted how that was done; null = it was not
    /// @param places where it was done
    private record Origin(
            Path unpacked,
            Path folder,
            ApplicationConversion.@Nullable Converted converted,
            ApplicationConversion.Places places) {
        @Nullable String conversion() {
            return converted == null ? null : converted.account();
        }

        @Nullable PageClasses pages() {
            return converted == null ? null : converted.pages();
        }

        /// @param pages where its pages are compiled into
        Deployment.Places places(Path pages, @Nullable RequestRewriting rewriting) {
            return new Deployment.Places(folder, pages, unpacked, conversion(), rewriting);
        }
    }

    private Origin origin(Path source, String key) throws IOException {
        boolean ours = !Files.isDirectory(source);
        Path unpacked = (ours ? unpacker.unpack(source, key) : source).toRealPath();
        ApplicationConversion.Places places = work.conversion(key, ours);
        ApplicationConversion.Converted converted = settings.conversion().convert(unpacked, places);
        return converted == null
                ? new Origin(unpacked, unpacked, null, places)
                : new Origin(unpacked, converted.folder().toRealPath(), converted, places);
    }

    /// What is done with an application.
    @FunctionalInterface
    private interface Work<T> {
        T on(Origin origin) throws IOException;
    }

    private <T> T with(Path source, String key, Work<T> work) {
        try {
            this.work.prepare();
            return work.on(origin(source, key));
        } catch (DeploymentException e) {
            String message = String.valueOf(e.getMessage());
            if (message.startsWith(source.toString())) {
                throw e;
            }
            throw new DeploymentException(source + ": " + message, e);
        } catch (DescriptorException e) {
            throw new DeploymentException(
                    source
                            + ": the application is not deployed, for its declarations are wrong:"
                            + System.lineSeparator()
                            + e.getMessage(),
                    e);
        } catch (WebAppException e) {
            throw new DeploymentException(source + ": " + Causes.chain(e), e);
        } catch (ZipException e) {
            throw new DeploymentException(source + ": cannot be read: " + Causes.text(e), e);
        } catch (UncheckedIOException | IOException e) {
            throw new DeploymentException(
                    source
                            + ": cannot be read: "
                            + Causes.text(e)
                            + ". Look at its permissions, and at the work folder "
                            + this.work.root()
                            + ".",
                    e);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            throw new DeploymentException(
                    source + ": the application failed while it was deployed: " + Causes.text(e),
                    e);
        }
    }

    private Deployment start(
            Application which, String key, Origin origin, Map<String, String> params)
            throws IOException {
        Path folder = origin.folder();
        Path source = which.file();
        String name = WebAppsFolder.baseName(which.contextPath(), "").replace('#', '/');
        DescriptorAssembly assembly = new DescriptorAssembly(settings.descriptorLimits());
        VendorDescriptor vendor = vendorDescriptor(which, folder);
        MountedFiles mounted = mounted(vendor, origin);
        LibraryScan scan = scan(vendor);
        ApplicationArchives archives = archives(name, folder, mounted, assembly, scan);
        WebAppClassLoader loader = loader(name, vendor, mounted, archives);
        Path temporary = null;
        WebResources resources = null;
        try {
            Consumer<String> warn = text -> LOG.log(Level.WARNING, "{0}: {1}", source, text);
            openLoggers(vendor, loader);
            List<Initializer> initializers = initializers(archives, loader, scan);
            common(vendor, assembly);
            WebAppDescriptor assembled = archives.assemble();
            Predicate<String> brought = type -> loader.findClassFile(type) != null;
            WebAppDescriptor descriptor = vendor.applyTo(assembled, brought, warn);
            DeclaredClasses declared =
                    DeclaredClasses.of(descriptor, assembly, loader, archives.classes());
            refuse(declared.errors());
            List.of(declared.warnings(), assembly.warnings(), vendor.warnings())
                    .forEach(lines -> lines.forEach(warn));
            archives.fragmentsLeftOut()
                    .forEach(line -> LOG.log(Level.INFO, "{0}: {1}", source, line));
            Naming naming = names(name, vendor, descriptor, loader, warn);
            Path pages = work.pages(key, folder);
            JspSetup jsp =
                    new JspSetup(settings.jsp(), Files.isDirectory(source), pages, origin.pages());
            initializers.addFirst(jsp.initializer(scan));
            resources =
                    mounted.around(new FolderResources(folder, resourceLibraries(archives, scan)));
            temporary = work.temporary(key);
            WebAppSettings webApp =
                    settings(own(which, key).withTemporaryFolder(temporary), vendor)
                            .withInitializers(initializers)
                            .withAttributes(jsp.attributes(loader, scan));
            Realm realm = realm(vendor, webApp.realm(), naming, loader, warn);
            MissingRoles.of(realm, descriptor).forEach(warn);
            WebApp app =
                    WebApp.create(
                            jsp.extend(declared.usable(descriptor).withContextParams(params))
                                    .withDefaults(settings.welcomeFiles(), encoding(origin)),
                            resources,
                            loader,
                            withUsers(webApp, realm, warn)
                                    .withListings(vendor.listings(assembled, brought)));
            app.start();
            return new Deployment(
                    source,
                    app,
                    resources,
                    loader,
                    temporary,
                    origin.places(pages, vendor.rewriting()));
        } catch (IOException | RuntimeException | Error e) {
            if (resources != null) {
                resources.close();
            }
            Deployment.close(loader);
            if (temporary != null) {
                Folders.deleteQuietly(temporary);
            }
            throw e;
        }
    }

    /// Gives the application loggers of its own, if it says how they write.
    private static void openLoggers(VendorDescriptor vendor, WebAppClassLoader loader) {
        AutoCloseable loggers = vendor.loggers(loader);
        if (loggers != null) {
            loader.atEnd(loggers);
        }
    }

    /// They are made as they are called: their constructors may look for classes of the
    /// application, too.
    private List<Initializer> initializers(
            ApplicationArchives archives, WebAppClassLoader loader, LibraryScan scan)
            throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return new ArrayList<>(
                    archives.initializers(
                            container, loader, shared(scan, SharedLibraries::silent)));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private WebAppSettings settings(WebAppSettings own, VendorDescriptor vendor) {
        WebAppSettings asked = settings.webApp().apply(own);
        if (vendor.errorReports() != null) {
            asked = asked.withErrorReports(vendor.errorReports());
        }
        if (vendor.casualMultipart()) {
            asked = asked.withCasualMultipart();
        }
        return vendor.crossContext() ? asked : asked.withContexts(ContextRegistry.NONE);
    }

    /// An application that was written for an older server has what that server began with: the
    /// specification's.
    private @Nullable String encoding(Origin origin) {
        return origin.conversion() == null ? settings.encoding() : null;
    }

    /// Gives the application its names.
    private Naming names(
            String name,
            VendorDescriptor vendor,
            WebAppDescriptor descriptor,
            WebAppClassLoader loader,
            Consumer<String> warn) {
        NamingBuilder names = new NamingBuilder(name, loader, settings.resources());
        vendor.addNames(names, type -> loader.findClassFile(type) != null, warn);
        names.late("java:comp/BeanManager", Beans.MANAGER, loader.beans()::manager);
        Naming naming = names.build(descriptor);
        loader.naming(naming);
        names.warnings().forEach(warn);
        return naming;
    }

    /// Users of one realm are not those of another: an application that has a realm of its own
    /// knows who has logged in elsewhere only by asking that realm.
    ///
    /// @param asked with the realm of the server
    private static WebAppSettings withUsers(
            WebAppSettings asked, @Nullable Realm realm, Consumer<String> warn) {
        SingleSignOn signOn = asked.singleSignOn();
        if (signOn == null
                || signOn.settings().reauthenticates()
                || Objects.equals(asked.realm(), realm)) {
            return asked.withRealm(realm);
        }
        warn.accept(
                "the application has a realm of its own, so that its users log in to it;"
                        + " requireReauthentication of SingleSignOn asks that realm");
        return asked.withRealm(realm).withSingleSignOn(null);
    }

    /// The application's own realm, or else the server's.
    private @Nullable Realm realm(
            VendorDescriptor vendor,
            @Nullable Realm server,
            Naming naming,
            WebAppClassLoader loader,
            Consumer<String> warn) {
        VendorDescriptor.OwnRealm own =
                vendor.realm(
                        new VendorDescriptor.RealmEnvironment(
                                server, naming, settings.resources(), loader, false),
                        warn);
        if (own == null) {
            return server;
        }
        own.closing().forEach(loader::atEnd);
        return own.realm();
    }

    private static void common(VendorDescriptor vendor, DescriptorAssembly assembly) {
        vendor.common().forEach(one -> assembly.common(one.file(), one.content(), one.without()));
    }

    private VendorDescriptor vendorDescriptor(Application app, Path folder) throws IOException {
        return settings.vendor()
                .read(app.contextPath(), app.version(), folder, settings.descriptorLimits());
    }
}
