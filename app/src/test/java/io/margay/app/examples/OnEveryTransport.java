package io.margay.app.examples;

import io.margay.app.config.TransportChoice;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A test that is run once for each transport; it takes the [TransportChoice] and, if it likes, the
/// [ExampleServer] that all tests share.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@EnumSource(value = TransportChoice.class, mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
@ExtendWith(ExampleServer.Provider.class)
@interface OnEveryTransport {}
