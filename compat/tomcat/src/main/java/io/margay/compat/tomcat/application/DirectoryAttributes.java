package io.margay.compat.tomcat.application;

import io.margay.server.directory.DirectoryAccess;
import io.margay.servlet.realm.CredentialHandler;
import io.margay.servlet.realm.DirectorySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the attributes of Tomcat's `JNDIRealm`. Stateless.
final class DirectoryAttributes {
    private DirectoryAttributes() {}

    /// @throws IllegalArgumentException when they do not fit together
    static DirectorySettings settings(
            RealmAttributes attributes, CredentialHandler credentials, Consumer<String> warnings) {
        attributes.ignore(
                "connectionPoolSize",
                "contextFactory",
                "derefAliases",
                "sizeLimit",
                "timeLimit",
                "protocol",
                "commonRoleOnly",
                "forceDnHexEscape",
                "useContextClassLoader",
                "spnegoDelegationQop",
                "useDelegatedCredential");
        String authentication = attributes.text("authentication");
        if (authentication != null && !authentication.equals("simple")) {
            throw attributes.wrong("authentication", authentication, "simple");
        }
        String referrals = attributes.text("referrals");
        if (referrals != null && !referrals.equals("ignore")) {
            warnings.accept(attributes.place() + ": <Realm>: referrals are not followed");
        }
        attributes.flag("adCompat", false); // Parts that lie elsewhere are always left out.
        List<String> urls = new ArrayList<>();
        urls.add(attributes.required("connectionURL"));
        String other = attributes.text("alternateURL");
        if (other != null) {
            urls.add(other);
        }
        boolean start = attributes.flag("useStartTls", false);
        tls(attributes, start, warnings);
        return new DirectorySettings(
                new DirectoryAccess(
                        urls,
                        new DirectoryAccess.Tls(start, null, true, null),
                        bind(attributes),
                        timeout(attributes, "connectionTimeout"),
                        timeout(attributes, "readTimeout")),
                new DirectorySettings.Users(
                        patterns(attributes.text("userPattern")),
                        attributes.text("userBase", ""),
                        attributes.text("userSearch"),
                        attributes.flag("userSubtree", false)),
                attributes.text("userPassword"),
                credentials,
                roles(attributes));
    }

    /// Who has a name and no password searches as nobody in particular, as with Tomcat.
    private static DirectoryAccess.Bind bind(RealmAttributes attributes) {
        String name = attributes.text("connectionName");
        String password = attributes.text("connectionPassword");
        return name == null || password == null
                ? DirectoryAccess.Bind.ANONYMOUS
                : new DirectoryAccess.Bind(name, password, null);
    }

    /// Says what is done in place of what Tomcat does with STARTTLS alone; nothing of it is less
    /// strict, but perhaps the list of cipher suites.
    private static void tls(RealmAttributes attributes, boolean start, Consumer<String> warnings) {
        List<String> said = new ArrayList<>();
        for (String name :
                List.of(
                        "hostnameVerifierClassName",
                        "sslSocketFactoryClassName",
                        "sslProtocol",
                        "cipherSuites")) {
            if (attributes.text(name) != null) {
                said.add(name);
            }
        }
        if (!said.isEmpty() && start) {
            warnings.accept(
                    attributes.place()
                            + ": <Realm>: no effect: "
                            + String.join(", ", said)
                            + ": the directory's certificate must be of an authority that Java"
                            + " trusts and be for the host of connectionURL, and protocol and"
                            + " cipher suite are those of Java. deploy.realms of margay.yaml has"
                            + " trust and verify");
        } else if (!said.isEmpty()) {
            warnings.accept(
                    attributes.place()
                            + ": <Realm>: no effect without useStartTls, as with Tomcat: "
                            + String.join(", ", said));
        }
    }

    private static DirectorySettings.Roles roles(RealmAttributes attributes) {
        return new DirectorySettings.Roles(
                attributes.text("userRoleName"),
                attributes.text("roleBase", ""),
                attributes.text("roleSearch"),
                attributes.text("roleName"),
                attributes.flag("roleSubtree", false),
                attributes.flag("roleNested", false),
                attributes.text("commonRole"));
    }

    private static Duration timeout(RealmAttributes attributes, String name) {
        int byDefault = (int) DirectoryAccess.TIMEOUT_DEFAULT.toMillis();
        return Duration.ofMillis(Math.max(1, attributes.number(name, byDefault)));
    }

    /// `(uid={0},ou=a)(uid={0},ou=b)`, or one without parentheses.
    private static List<String> patterns(@Nullable String text) {
        if (text == null) {
            return List.of();
        }
        if (!text.startsWith("(")) {
            return List.of(text);
        }
        List<String> patterns = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '(' && depth++ == 0) {
                begin = i + 1;
            } else if (text.charAt(i) == ')' && --depth == 0) {
                patterns.add(text.substring(begin, i));
            }
        }
        return patterns;
    }
}
