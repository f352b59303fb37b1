package io.margay.servlet.deploy.lost;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of Java that newer versions do not have. Immutable.
///
/// @param prefix what the internal names of its classes begin with
/// @param since the version without it
/// @param remedy what an application does about it
record LostApi(String prefix, String name, int since, String remedy) {
    private static final String JAX_WS = brought("com.sun.xml.ws:jaxws-rt:2.3.7", "jax-ws");

    private static final List<LostApi> ALL =
            List.of(
                    new LostApi(
                            "javax/xml/bind/",
                            "JAXB",
                            11,
                            brought(
                                    "jakarta.xml.bind:jakarta.xml.bind-api:2.3.3 and"
                                            + " org.glassfish.jaxb:jaxb-runtime:2.3.9",
                                    "jaxb")),
                    new LostApi("javax/xml/ws/", "JAX-WS", 11, JAX_WS),
                    new LostApi("javax/jws/", "JAX-WS", 11, JAX_WS),
                    new LostApi(
                            "javax/xml/soap/",
                            "SAAJ",
                            11,
                            brought("com.sun.xml.messaging.saaj:saaj-impl:1.5.3", "saaj")),
                    new LostApi(
                            "javax/activation/",
                            "the Activation Framework",
                            11,
                            brought("com.sun.activation:jakarta.activation:1.2.2", "activation")),
                    new LostApi(
                            "org/omg/",
                            "CORBA",
                            11,
                            "add org.glassfish.corba:glassfish-corba-omgapi to WEB-INF/lib"),
                    new LostApi(
                            "jdk/nashorn/",
                            "Nashorn",
                            15,
                            "add org.openjdk.nashorn:nashorn-core to WEB-INF/lib and use its"
                                    + " package org.openjdk.nashorn"),
                    new LostApi("sun/misc/BASE64", "sun.misc.BASE64…", 11, "use java.util.Base64"),
                    new LostApi("com/sun/image/codec/", "Sun's JPEG codec", 9, "use javax.imageio"),
                    new LostApi(
                            "java/util/jar/Pack200", "Pack200", 14, "use Apache Commons Compress"),
                    new LostApi(
                            "java/rmi/activation/", "RMI activation", 17, "there is no successor"),
                    new LostApi("sun/", "a class of the JDK's own", 9, "use a public one"));

    /// The remedy of what the server has, too.
    ///
    /// @param module its word in `margay.yaml`
    private static String brought(String artefacts, String module) {
        return "add %s to WEB-INF/lib, or write deploy: {java-ee-modules: %s} in margay.yaml"
                .formatted(artefacts, module);
    }

    /// What a class belongs to, by its internal name.
    static @Nullable LostApi of(String type) {
        for (LostApi one : ALL) {
            if (type.startsWith(one.prefix)) {
                return one;
            }
        }
        return null;
    }
}
