package io.margay.app.tidy;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.Set;

/// Which module may know which, and what the protocol code must do without.
///
/// ```
/// protocol <--+                +-- servlet <-- compat.tomcat, embed
///             +-- server <-----+-- gateway <-- compat.httpd, compat.nginx
/// transport <-+                +-- app (all)          lab --> protocol, transport
/// ```
///
/// Rules about modules that have no classes yet hold until there are some.
enum LayerRule {
    PROTOCOL_KNOWS_NONE_OF_OURS(only("protocol")),

    TRANSPORT_KNOWS_NONE_OF_OURS(only("transport")),

    SERVER_KNOWS_TRANSPORT_AND_PROTOCOL(only("server", "transport..", "protocol..")),

    SERVLET_KNOWS_EXCHANGES_FILES_AND_HTTP(
            only(
                    "servlet",
                    "server.directory..",
                    "server.exchange..",
                    "server.files..",
                    "server.meter..",
                    "server.steps..",
                    "server.users..",
                    "protocol.form..",
                    "protocol.http..")),

    VALKEY_CLIENT_KNOWS_NONE_OF_OURS(within("valkey")),

    SESSIONS_IN_VALKEY_KNOW_SERVLET(only("valkey.sessions", "servlet..", "valkey")),

    MEMBERS_IN_VALKEY_KNOW_GATEWAY(only("valkey.members", "gateway..", "valkey")),

    SHARED_IN_VALKEY_KNOWS_SERVER(only("valkey.shared", "server..", "valkey")),

    MEMBER_SOURCES_KNOW_GATEWAY(only("members", "gateway..")),

    LOGINS_KNOW_GATEWAY(only("login", "gateway..", "server..", "protocol..")),

    SHADOW_KNOWS_GATEWAY(only("shadow", "gateway..", "server..", "protocol..")),

    ACME_KNOWS_SERVER_AND_BELOW(only("acme", "server..", "transport..")),

    EMBED_KNOWS_SERVLET_AND_BELOW(
            only("embed", "servlet..", "server..", "transport..", "protocol..")),

    SPRING_STARTER_KNOWS_EMBED_AND_BELOW(
            only(
                    "spring",
                    "embed..",
                    "compat.tomcat..",
                    "servlet..",
                    "server..",
                    "transport..",
                    "protocol..")),

    JUNIT_KNOWS_EMBED(only("junit", "embed..")),

    MAVEN_PLUGIN_KNOWS_APP(only("maven", "app..")),

    GATEWAY_KNOWS_SERVER_AND_BELOW(only("gateway", "server..", "transport..", "protocol..")),

    ACCOUNT_KNOWS_NONE_OF_OURS(only("compat.account")),

    HTTPD_READER_KNOWS_GATEWAY_AND_BELOW(
            only(
                    "compat.httpd",
                    "compat.account..",
                    "gateway..",
                    "server..",
                    "transport..",
                    "protocol..")),

    NGINX_READER_KNOWS_GATEWAY_AND_BELOW(
            only(
                    "compat.nginx",
                    "compat.account..",
                    "gateway..",
                    "server..",
                    "transport..",
                    "protocol..")),

    TOMCAT_READER_KNOWS_SERVLET_AND_BELOW(
            only(
                    "compat.tomcat",
                    "compat.account..",
                    "servlet..",
                    "server..",
                    "transport..",
                    "protocol..")),

    LAB_KNOWS_PROTOCOL_AND_TRANSPORT(only("lab", "transport..", "protocol..")),

    NOTHING_KNOWS_LAB(
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.margay.lab..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.margay.lab..")),

    TESTKIT_KNOWS_NONE_OF_OURS(only("testkit")),

    NOTHING_SHIPPED_KNOWS_TESTKIT(
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.margay.testkit..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.margay.testkit..")),

    MODULES_FORM_NO_CYCLE(slices().matching("io.margay.(*)..").should().beFreeOfCycles()),

    PROTOCOL_USES_PURE_TYPES(
            noClasses()
                    .that()
                    .resideInAPackage(Names.PROTOCOL)
                    .should()
                    .dependOnClassesThat(
                            describe(
                                    "do I/O, or are threads, locks, clocks or loggers",
                                    Names::impure))),

    PROTOCOL_CALLS_PURE_METHODS(
            noClasses()
                    .that()
                    .resideInAPackage(Names.PROTOCOL)
                    .should()
                    .callMethodWhere(
                            describe("it asks clock, chance or machine", Names::impureCall))
                    .orShould()
                    .callConstructorWhere(describe("it makes chance", Names::impureCall))),

    PROTOCOL_HAS_NO_SYNCHRONIZED_METHODS(
            noMethods()
                    .that()
                    .areDeclaredInClassesThat()
                    .resideInAPackage(Names.PROTOCOL)
                    .should()
                    .haveModifier(JavaModifier.SYNCHRONIZED));

    private final ArchRule rule;

    LayerRule(ArchRule rule) {
        this.rule = rule;
    }

    ArchRule rule() {
        return rule.as(name()).allowEmptyShould(true);
    }

    /// A rule that of our packages `module` uses those given and its own.
    private static ArchRule only(String module, String... others) {
        return within(module + "..", others);
    }

    /// The same of one package, or of those that a pattern names.
    private static ArchRule within(String packages, String... others) {
        var own = "io.margay." + packages;
        var allowed = Arrays.stream(others).map("io.margay."::concat).toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(
                        JavaClass.Predicates.resideInAPackage("io.margay..")
                                .and(
                                        DescribedPredicate.not(
                                                JavaClass.Predicates.resideInAPackage(own)))
                                .and(
                                        DescribedPredicate.not(
                                                JavaClass.Predicates.resideInAnyPackage(allowed))));
    }

    /// The names by which the protocol rules know what is not pure.
    private static final class Names {
        static final String PROTOCOL = "io.margay.protocol..";

        /// Packages that protocol code may use; of their types all but [#TYPES_IMPURE].
        private static final Set<String> PACKAGES =
                Set.of(
                        "java.lang",
                        "java.lang.annotation",
                        "java.lang.constant",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.math",
                        "java.nio",
                        "java.nio.charset",
                        "java.time",
                        "java.time.format",
                        "java.time.temporal",
                        "java.util",
                        "java.util.function",
                        "io.soabase.recordbuilder.core",
                        "java.util.random",
                        "java.util.regex",
                        "java.util.stream",
                        "javax.crypto.spec",
                        "org.jspecify.annotations");

        /// Types of other packages that are values, or buffers in memory.
        private static final Set<String> TYPES_PURE =
                Set.of(
                        "java.io.ByteArrayOutputStream",
                        "java.io.Serializable",
                        "java.io.UncheckedIOException",
                        "java.net.Inet4Address",
                        "java.net.Inet6Address",
                        "java.net.InetAddress",
                        "java.net.InetSocketAddress",
                        "java.net.URI",
                        "java.net.URISyntaxException",
                        "java.security.GeneralSecurityException",
                        "java.security.Key",
                        "java.security.MessageDigest",
                        "java.security.spec.AlgorithmParameterSpec",
                        "javax.crypto.AEADBadTagException",
                        "javax.crypto.Cipher",
                        "javax.crypto.KDF",
                        "javax.crypto.SecretKey");

        private static final Set<String> TYPES_IMPURE =
                Set.of(
                        "java.lang.Process",
                        "java.lang.ProcessBuilder",
                        "java.lang.ProcessHandle",
                        "java.lang.Runtime",
                        "java.lang.ScopedValue",
                        "java.lang.System$Logger",
                        "java.lang.System$Logger$Level",
                        "java.lang.Thread",
                        "java.lang.ThreadGroup",
                        "java.lang.ThreadLocal",
                        "java.lang.InheritableThreadLocal",
                        "java.time.Clock",
                        "java.time.InstantSource",
                        "java.util.Calendar",
                        "java.util.Date",
                        "java.util.GregorianCalendar",
                        "java.util.Scanner",
                        "java.util.ServiceLoader",
                        "java.util.Timer",
                        "java.util.TimerTask");

        /// The methods of `System` that neither ask nor change the world.
        private static final Set<String> SYSTEM_METHODS =
                Set.of("arraycopy", "identityHashCode", "lineSeparator");

        private static final Set<String> CALLS_IMPURE =
                Set.of(
                        "java.lang.Math.random",
                        "java.lang.Object.notify",
                        "java.lang.Object.notifyAll",
                        "java.lang.Object.wait",
                        "java.net.InetAddress.getAllByName",
                        "java.net.InetAddress.getByName",
                        "java.net.InetAddress.getCanonicalHostName",
                        "java.net.InetAddress.getHostName",
                        "java.net.InetAddress.getLocalHost",
                        "java.net.InetAddress.isReachable",
                        "java.util.Random.<init>",
                        "java.util.UUID.randomUUID",
                        "java.util.stream.BaseStream.parallel",
                        "java.util.Collection.parallelStream");

        private Names() {}

        static boolean impure(JavaClass type) {
            var base = type.getBaseComponentType();
            var name = base.getName();
            if (base.isPrimitive() || name.startsWith("io.margay.")) {
                return false;
            }
            return TYPES_IMPURE.contains(name)
                    || !(PACKAGES.contains(base.getPackageName()) || TYPES_PURE.contains(name));
        }

        static boolean impureCall(JavaCall<?> call) {
            var owner = call.getTargetOwner().getName();
            var method = call.getTarget().getName();
            if (owner.equals("java.lang.System")) {
                return !SYSTEM_METHODS.contains(method);
            }
            boolean asksClock = owner.startsWith("java.time.") && method.equals("now");
            return asksClock || CALLS_IMPURE.contains(owner + "." + method);
        }
    }
}
