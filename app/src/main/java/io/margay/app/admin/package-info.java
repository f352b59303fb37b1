/// The listener for those who run the server: page, JSON API, Tomcat manager's text interface,
/// metrics and health. It sees of the server what [io.margay.app.admin.ManagedServer] shows.
@NullMarked
package io.margay.app.admin;

import org.jspecify.annotations.NullMarked;
