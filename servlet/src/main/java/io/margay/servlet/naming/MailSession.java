package io.margay.servlet.naming;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes mail sessions of the Jakarta Mail that the application, or the folder of shared libraries,
/// brings; the container has none. Stateless.
final class MailSession {
    private static final String PACKAGE = "jakarta.mail.";

    private MailSession() {}

    static Object make(ResourceSpec.Mail spec, List<ClassLoader> loaders)
            throws ReflectiveOperationException {
        Properties properties = new Properties();
        properties.putAll(spec.properties());
        Class<?> type = ResourceMaker.load(PACKAGE + "Session", loaders);
        Object session = type.getMethod("getInstance", Properties.class).invoke(null, properties);
        String user = spec.user();
        String password = spec.password();
        if (user != null && password != null) {
            remember(session, type, spec.properties(), user, password, loaders);
        }
        return session;
    }

    /// Gives the session the password under the names by which its services will ask for it: those
    /// that have protocol, host and user, but no port.
    private static void remember(
            Object session,
            Class<?> type,
            Map<String, String> properties,
            String user,
            String password,
            List<ClassLoader> loaders)
            throws ReflectiveOperationException {
        Class<?> address = ResourceMaker.load(PACKAGE + "URLName", loaders);
        Class<?> proof = ResourceMaker.load(PACKAGE + "PasswordAuthentication", loaders);
        Object known = proof.getConstructor(String.class, String.class).newInstance(user, password);
        Method put = type.getMethod("setPasswordAuthentication", address, proof);
        Set<String> protocols = new LinkedHashSet<>(List.of("smtp", "smtps"));
        for (String key : List.of("mail.transport.protocol", "mail.store.protocol")) {
            String protocol = properties.get(key);
            if (protocol != null) {
                protocols.add(protocol);
            }
        }
        for (String protocol : protocols) {
            @Nullable String host =
                    properties.getOrDefault(
                            "mail." + protocol + ".host", properties.get("mail.host"));
            Object where =
                    address.getConstructor(
                                    String.class,
                                    String.class,
                                    int.class,
                                    String.class,
                                    String.class,
                                    String.class)
                            .newInstance(protocol, host, -1, null, user, null);
            put.invoke(session, where, known);
        }
    }
}
