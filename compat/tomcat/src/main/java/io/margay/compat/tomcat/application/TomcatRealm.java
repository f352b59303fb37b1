package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.application.ContextSettings.HandlerDef;
import io.margay.compat.tomcat.application.ContextSettings.RealmDef;
import io.margay.servlet.deploy.VendorDescriptor.OwnRealm;
import io.margay.servlet.deploy.VendorDescriptor.RealmEnvironment;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.naming.Naming;
import io.margay.servlet.naming.PoolLimits;
import io.margay.servlet.naming.ResourceSpec;
import io.margay.servlet.naming.ServerResources;
import io.margay.servlet.realm.CombinedRealm;
import io.margay.servlet.realm.CredentialHandler;
import io.margay.servlet.realm.DatabaseRealm;
import io.margay.servlet.realm.DirectoryRealm;
import io.margay.servlet.realm.LockOutLimits;
import io.margay.servlet.realm.LockOutRealm;
import io.margay.servlet.realm.NoUsers;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.UsersFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.naming.NamingException;
import javax.sql.DataSource;

/// Makes realms of what context.xml says. Confined to the deploying thread.
///
/// A realm that is not known lets nobody in: what needs a user stays closed.
final class TomcatRealm {
    private static final String REALMS = "org.apache.catalina.realm.";

    /// Stands for the users of the server.
    static final String USERS_BY_DEFAULT = "conf/tomcat-users.xml";

    private final RealmEnvironment environment;
    private final Map<String, Path> userDatabases;
    private final Consumer<String> warnings;
    private final List<AutoCloseable> closing = new ArrayList<>();

    private TomcatRealm(
            RealmEnvironment environment,
            Map<String, Path> userDatabases,
            Consumer<String> warnings) {
        this.environment = environment;
        this.userDatabases = userDatabases;
        this.warnings = warnings;
    }

    /// @param userDatabases files of the `UserDatabase` resources beside the realm, by name
    /// @throws WebAppException when an attribute is missing or wrong
    static OwnRealm of(
            RealmDef definition,
            RealmEnvironment environment,
            Map<String, Path> userDatabases,
            Consumer<String> warnings) {
        TomcatRealm maker = new TomcatRealm(environment, userDatabases, warnings);
        Realm realm = maker.realm(definition);
        return new OwnRealm(realm, maker.closing);
    }

    private Realm realm(RealmDef definition) {
        RealmAttributes attributes =
                new RealmAttributes(definition.attributes(), "<Realm>", definition.place());
        String kind =
                definition.className().startsWith(REALMS)
                        ? definition.className().substring(REALMS.length())
                        : "";
        Realm realm =
                switch (kind) {
                    case "LockOutRealm" ->
                            LockOutRealm.around(combined(definition), lockOut(attributes));
                    case "CombinedRealm" -> combined(definition);
                    case "UserDatabaseRealm" -> userDatabase(attributes);
                    case "MemoryRealm" -> memory(attributes);
                    case "DataSourceRealm" -> dataSource(definition, attributes);
                    case "JDBCRealm" -> database(definition, attributes);
                    case "JNDIRealm" -> directory(definition, attributes);
                    case "JAASRealm" -> LoginModules.realm(attributes, environment, warnings);
                    case "NullRealm" -> new NoUsers();
                    default -> {
                        warnings.accept(
                                definition.place()
                                        + ": <Realm>: "
                                        + definition.className()
                                        + " is not supported; nobody can log in through it");
                        attributes.forget();
                        yield new NoUsers();
                    }
                };
        String idle = attributes.left();
        if (!idle.isEmpty()) {
            warnings.accept(definition.place() + ": <Realm>: no effect: " + idle);
        }
        return realm;
    }

    private Realm combined(RealmDef definition) {
        return new CombinedRealm(definition.realms().stream().map(this::realm).toList());
    }

    private static LockOutLimits lockOut(RealmAttributes attributes) {
        LockOutLimits defaults = LockOutLimits.defaults();
        attributes.ignore("cacheRemovalWarningTime");
        return new LockOutLimits(
                attributes.number("failureCount", defaults.failuresMax()),
                Duration.ofSeconds(
                        attributes.number("lockOutTime", (int) defaults.lockedFor().toSeconds())),
                Math.max(1, attributes.number("cacheSize", defaults.namesMax())));
    }

    // Files

    private Realm userDatabase(RealmAttributes attributes) {
        String name = attributes.text("resourceName", "UserDatabase");
        attributes.ignore("localJndiResource");
        Path file = userDatabases.get(name);
        return file == null ? ofServer(attributes) : file(attributes, file);
    }

    private Realm memory(RealmAttributes attributes) {
        String pathname = attributes.text("pathname", USERS_BY_DEFAULT);
        return pathname.equals(USERS_BY_DEFAULT)
                ? ofServer(attributes)
                : file(attributes, Path.of(pathname));
    }

    private Realm ofServer(RealmAttributes attributes) {
        Realm users = environment.users();
        if (users == null) {
            warnings.accept(
                    attributes.place()
                            + ": <Realm>: the server has no users; nobody can log in. Name a file"
                            + " of users in margay.yaml (deploy: users)");
            return new NoUsers();
        }
        return users;
    }

    private static Realm file(RealmAttributes attributes, Path file) {
        if (!file.isAbsolute()) {
            throw attributes.wrong(
                    "pathname", file.toString(), "an absolute path, or " + USERS_BY_DEFAULT);
        }
        try {
            return UsersFile.read(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new WebAppException(
                    attributes.place() + ": <Realm>: " + file + " cannot be read: " + e, e);
        }
    }

    // Databases

    private Realm dataSource(RealmDef definition, RealmAttributes attributes) {
        String name = attributes.required("dataSourceName");
        boolean local = attributes.flag("localDataSource", false);
        DatabaseRealm.Source source =
                () -> {
                    Object found =
                            local && environment.naming() != null
                                    ? environment.naming().lookup(Naming.absolute(name))
                                    : environment.resources().lookup(name);
                    if (found instanceof DataSource pool) {
                        return pool;
                    }
                    throw new NamingException(name + " is not a data source");
                };
        return tables(definition, attributes, source);
    }

    private Realm database(RealmDef definition, RealmAttributes attributes) {
        DataSourceSettings settings =
                new DataSourceSettings(
                        attributes.required("connectionURL"),
                        attributes.text("driverName"),
                        attributes.text("connectionName"),
                        attributes.text("connectionPassword"),
                        Map.of(),
                        DataSourceSettings.Session.asDriver(),
                        PoolLimits.defaults());
        ServerResources own =
                new ServerResources(
                        Map.of("realm", new ResourceSpec.Pool(settings)),
                        environment.resources().loadersAfter(environment.loader()));
        closing.add(own);
        return tables(definition, attributes, () -> (DataSource) own.lookup("realm"));
    }

    private Realm tables(
            RealmDef definition, RealmAttributes attributes, DatabaseRealm.Source source) {
        String users = attributes.identifier("userTable");
        String name = attributes.identifier("userNameCol");
        String credential = attributes.identifier("userCredCol");
        boolean roles = attributes.has("userRoleTable") || attributes.has("roleNameCol");
        String roleQuery =
                roles
                        ? "SELECT "
                                + attributes.identifier("roleNameCol")
                                + " FROM "
                                + attributes.identifier("userRoleTable")
                                + " WHERE "
                                + name
                                + " = ?"
                        : null;
        return new DatabaseRealm(
                "the realm at " + definition.place(),
                source,
                "SELECT " + credential + " FROM " + users + " WHERE " + name + " = ?",
                roleQuery,
                credentials(definition, attributes));
    }

    // Directories

    private Realm directory(RealmDef definition, RealmAttributes attributes) {
        try {
            DirectoryRealm realm =
                    new DirectoryRealm(
                            "the realm at " + definition.place(),
                            DirectoryAttributes.settings(
                                    attributes, credentials(definition, attributes), warnings));
            closing.add(realm);
            return realm;
        } catch (IllegalArgumentException e) {
            throw new WebAppException(definition.place() + ": <Realm>: " + e.getMessage(), e);
        }
    }

    // Credentials

    private CredentialHandler credentials(RealmDef definition, RealmAttributes attributes) {
        String digest = attributes.text("digest");
        if (!definition.handlers().isEmpty()) {
            return handlers(definition.handlers());
        }
        return digest == null
                ? new CredentialHandler.AsInFile()
                : checked(
                        () -> new CredentialHandler.Digest(digest, CredentialHandler.charset(null)),
                        definition.place());
    }

    private CredentialHandler handlers(List<HandlerDef> definitions) {
        List<CredentialHandler> all = definitions.stream().map(this::handler).toList();
        return all.size() == 1 ? all.getFirst() : new CredentialHandler.AnyOf(all);
    }

    private CredentialHandler handler(HandlerDef definition) {
        RealmAttributes attributes =
                new RealmAttributes(
                        definition.attributes(), "<CredentialHandler>", definition.place());
        attributes.ignore(
                "saltLength", "keyLength", "logInvalidStoredCredentials", "threadSafeRandom");
        String algorithm = attributes.text("algorithm");
        CredentialHandler handler =
                checked(
                        () ->
                                switch (definition.className()) {
                                    case REALMS + "MessageDigestCredentialHandler" -> {
                                        attributes.ignore("iterations");
                                        String encoding = attributes.text("encoding");
                                        yield algorithm == null
                                                ? new CredentialHandler.AsInFile()
                                                : new CredentialHandler.Digest(
                                                        algorithm,
                                                        CredentialHandler.charset(encoding));
                                    }
                                    case REALMS + "SecretKeyCredentialHandler" ->
                                            new CredentialHandler.SecretKey(
                                                    algorithm == null
                                                            ? "PBKDF2WithHmacSHA1"
                                                            : algorithm,
                                                    attributes.number("iterations", 20_000));
                                    case REALMS + "NestedCredentialHandler" ->
                                            handlers(definition.handlers());
                                    default ->
                                            throw new IllegalArgumentException(
                                                    definition.className() + " is not there");
                                },
                        definition.place());
        String idle = attributes.left();
        if (!idle.isEmpty()) {
            warnings.accept(definition.place() + ": <CredentialHandler>: no effect: " + idle);
        }
        return handler;
    }

    /// Makes something whose constructor checks its values.
    private static CredentialHandler checked(
            java.util.function.Supplier<CredentialHandler> make, String place) {
        try {
            return make.get();
        } catch (IllegalArgumentException e) {
            throw new WebAppException(place + ": <CredentialHandler>: " + e.getMessage(), e);
        }
    }
}
