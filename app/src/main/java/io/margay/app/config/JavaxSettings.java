package io.margay.app.config;

import io.margay.compat.tomcat.javax.JavaxApplications;
import io.margay.servlet.settings.ApplicationConversion;
import java.util.List;

/// What is done for applications that were written for earlier versions: of the packages of
/// servlets, and of Java. Immutable.
///
/// @param mode what is done with those for the javax packages of servlets
/// @param modules what Java itself had of Java EE until version 10, and has here, too
public record JavaxSettings(Mode mode, List<Module> modules) {
    public JavaxSettings {
        modules = List.copyOf(modules);
    }

    /// What is done with applications that were written for the javax packages, as those for Tomcat
    /// 9 and before are.
    public enum Mode {
        /// They are converted when they are deployed.
        AUTO,

        /// They are refused when they are deployed.
        OFF
    }

    /// A part of Java EE that was in Java: modules named `java.…` in versions 9 and 10.
    public enum Module {
        /// The Activation Framework, `javax.activation`.
        ACTIVATION,

        /// XML of objects, `javax.xml.bind`; with the Activation Framework.
        JAXB,

        /// Messages of SOAP, `javax.xml.soap`; with the Activation Framework.
        SAAJ,

        /// Web services, `javax.xml.ws` and `javax.jws`; with all of the others.
        JAX_WS
    }

    /// Applications are converted, and Java is as it is.
    public static JavaxSettings defaults() {
        return new JavaxSettings(Mode.AUTO, List.of());
    }

    /// What does it.
    ///
    /// @param libraries whether the libraries that applications share have been converted
    public ApplicationConversion conversion(boolean libraries) {
        return switch (mode) {
            case AUTO ->
                    libraries ? JavaxApplications.withLibraries() : JavaxApplications.converted();
            case OFF -> JavaxApplications.refused();
        };
    }
}
