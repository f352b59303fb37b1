package io.margay.servlet.test;

import io.margay.server.exchange.Handler;
import io.margay.servlet.WebApp;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.ErrorPage;
import io.margay.servlet.descriptor.WebAppDescriptor.LoginDef;
import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptorBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorComponentsBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorContentBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorGeneralBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorSessionDefBuilder;
import io.margay.servlet.descriptor.WebAppDescriptors;
import io.margay.servlet.settings.WebAppSettings;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Builds a small application for one test: descriptor parts, and servlets and filters as lambdas
/// that an initializer registers.
public final class TestApp {
    /// What a servlet does.
    @FunctionalInterface
    public interface Service {
        /// StatusResponse.
        void serve(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException;
    }

    /// What an initializer does.
    @FunctionalInterface
    public interface Setup {
        /// Registers.
        void on(ServletContext context) throws ServletException;
    }

    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final Map<String, Path> realFiles = new HashMap<>();
    private final List<Setup> setups = new ArrayList<>();
    private final List<ErrorPage> errorPages = new ArrayList<>();
    private final List<SecurityConstraint> constraints = new ArrayList<>();
    private final List<String> welcomeFiles = new ArrayList<>();
    private final Map<String, String> localeEncodings = new HashMap<>();
    private final Set<SessionTrackingMode> tracking = EnumSet.noneOf(SessionTrackingMode.class);
    private final List<String> listeners = new ArrayList<>();
    private final Set<String> roles = new HashSet<>();
    private LoginDef login;
    private WebAppSettings settings;
    private WebApp app;

    private TestApp(String contextPath) {
        settings = WebAppSettings.at(contextPath);
    }

    /// An application at a context path.
    public static TestApp at(String contextPath) {
        return new TestApp(contextPath);
    }

    /// The root application.
    public static TestApp root() {
        return at("");
    }

    /// Adds a servlet.
    public TestApp servlet(String pattern, Service service) {
        return setup(context -> {
            ServletRegistration.Dynamic added =
                    context.addServlet(pattern.isEmpty() ? "root" : pattern, servlet(service));
            added.setAsyncSupported(true);
            added.addMapping(pattern);
        });
    }

    /// A servlet from a lambda.
    public static Servlet servlet(Service service) {
        return new Lambda(service);
    }

    private static final class Lambda extends HttpServlet {
        private final transient Service service;

        Lambda(Service service) {
            this.service = service;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            try {
                service.serve(request, response);
            } catch (AssertionError e) {
                Failures.note(e);
                throw e;
            }
        }
    }

    /// Adds a filter for a URL pattern.
    public TestApp filter(String pattern, Filter filter, DispatcherType... types) {
        return setup(context -> {
            var added = context.addFilter("filter " + setups.size() + filter, filter);
            added.setAsyncSupported(true);
            EnumSet<DispatcherType> set =
                    types.length == 0
                            ? EnumSet.of(DispatcherType.REQUEST)
                            : EnumSet.copyOf(List.of(types));
            added.addMappingForUrlPatterns(set, true, pattern);
        });
    }

    /// Runs something while the application is configured.
    public TestApp setup(Setup setup) {
        setups.add(setup);
        return this;
    }

    /// Adds a file.
    public TestApp file(String path, String content) {
        files.put(path, content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return this;
    }

    /// Adds a file of the file system.
    public TestApp file(String path, Path real) throws IOException {
        files.put(path, Files.readAllBytes(real));
        realFiles.put(path, real);
        return this;
    }

    /// Adds an error page.
    public TestApp errorPage(Integer status, String exceptionClass, String location) {
        errorPages.add(new ErrorPage(status, exceptionClass, location));
        return this;
    }

    /// Adds a constraint.
    public TestApp constraint(SecurityConstraint constraint) {
        constraints.add(constraint);
        return this;
    }

    /// Names the way to log in, with `/login` and `/failed` for pages.
    public TestApp login(String method) {
        login = new LoginDef(method, "here", "/login", "/failed");
        return this;
    }

    /// Declares a role.
    public TestApp role(String name) {
        roles.add(name);
        return this;
    }

    /// Adds a welcome file.
    public TestApp welcome(String name) {
        welcomeFiles.add(name);
        return this;
    }

    /// Adds a locale encoding.
    public TestApp localeEncoding(String locale, String encoding) {
        localeEncodings.put(locale, encoding);
        return this;
    }

    /// Adds a tracking mode.
    public TestApp tracking(SessionTrackingMode mode) {
        tracking.add(mode);
        return this;
    }

    /// Adds a listener by class name, as a descriptor does.
    public TestApp listener(Class<?> type) {
        listeners.add(type.getName());
        return this;
    }

    /// Changes the settings.
    public TestApp settings(UnaryOperator<WebAppSettings> change) {
        settings = change.apply(settings);
        return this;
    }

    /// Creates and starts it, once.
    public WebApp start() {
        if (app == null) {
            List<WebAppSettings.Initializer> initializers =
                    new ArrayList<>(settings.initializers());
            initializers.add(
                    new WebAppSettings.Initializer(
                            (classes, context) -> {
                                for (Setup setup : List.copyOf(setups)) {
                                    setup.on(context);
                                }
                            },
                            null));
            settings = settings.withInitializers(initializers);
            app =
                    WebApp.create(
                            descriptor(),
                            new MapResources(files, realFiles),
                            TestApp.class.getClassLoader(),
                            settings);
            app.start();
        }
        return app;
    }

    /// The handler of the started application.
    public Handler handler() {
        return start().handler();
    }

    /// Runs one exchange to its end.
    public ScriptedExchange run(ScriptedExchange exchange) throws IOException {
        return exchange.run(handler());
    }

    /// GETs a target.
    public ScriptedExchange get(String target, String... fields) throws IOException {
        return run(ScriptedExchange.get(target, fields));
    }

    private WebAppDescriptor descriptor() {
        WebAppDescriptor empty = WebAppDescriptors.empty();
        return WebAppDescriptorBuilder.builder(empty)
                .general(
                        WebAppDescriptorGeneralBuilder.builder(empty.general())
                                .displayName("test")
                                .metadataComplete(true)
                                .contextParams(Map.of("contextParam", "contextValue"))
                                .build())
                .components(
                        WebAppDescriptorComponentsBuilder.builder(empty.components())
                                .listeners(listeners)
                                .build())
                .session(
                        WebAppDescriptorSessionDefBuilder.builder(empty.session())
                                .trackingModes(tracking)
                                .build())
                .content(
                        WebAppDescriptorContentBuilder.builder(empty.content())
                                .mimeTypes(Map.of("special", "application/x-special"))
                                .welcomeFiles(welcomeFiles)
                                .errorPages(errorPages)
                                .localeEncodings(localeEncodings)
                                .build())
                .security(new WebAppDescriptor.Security(false, constraints, login, roles))
                .build();
    }
}
