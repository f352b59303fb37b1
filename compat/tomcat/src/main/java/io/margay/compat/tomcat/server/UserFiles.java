package io.margay.compat.tomcat.server;

import io.margay.servlet.xml.XmlElement;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Finds the file of users that the realm of an engine reads. Stateless.
final class UserFiles {
    private static final String BY_DEFAULT = "conf/tomcat-users.xml";

    private UserFiles() {}

    /// The file; null when no engine has one, or it is not there.
    static @Nullable Path ofServer(XmlElement server, Path base) {
        for (XmlElement service : server.all("Service")) {
            for (XmlElement engine : service.all("Engine")) {
                for (XmlElement realm : engine.all("Realm")) {
                    Path file = ofRealm(realm, server, base);
                    if (file != null && Files.isRegularFile(file)) {
                        return file;
                    }
                }
            }
        }
        return null;
    }

    private static @Nullable Path ofRealm(XmlElement realm, XmlElement server, Path base) {
        String className = realm.attributes().getOrDefault("className", "");
        if (className.endsWith(".MemoryRealm")) {
            return base.resolve(realm.attributes().getOrDefault("pathname", BY_DEFAULT));
        }
        if (className.endsWith(".UserDatabaseRealm")) {
            String name = realm.attributes().getOrDefault("resourceName", "UserDatabase");
            XmlElement resources = server.child("GlobalNamingResources");
            for (XmlElement one : resources == null ? realm.all("") : resources.all("Resource")) {
                if (name.equals(one.attributes().get("name"))) {
                    return base.resolve(one.attributes().getOrDefault("pathname", BY_DEFAULT));
                }
            }
        }
        for (XmlElement inner : realm.all("Realm")) {
            Path file = ofRealm(inner, server, base);
            if (file != null) {
                return file;
            }
        }
        return null;
    }
}
