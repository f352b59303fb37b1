/// The container over real connections.
package io.margay.servlet.http;
