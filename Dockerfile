# SPDX-License-Identifier: Apache-2.0
# The flash-sale service with servers of its own choice: give --redis and --db. Built from the jars that Maven made:
#   mvn -DskipTests -pl flashsale -am package && docker build -t interlock-flashsale .
FROM eclipse-temurin:25-jre
RUN useradd --system --create-home interlock
USER interlock
WORKDIR /home/interlock
COPY --chown=interlock flashsale/target/interlock-flashsale.jar app/
COPY --chown=interlock flashsale/target/lib app/lib
EXPOSE 8080
# SIGTERM lets requests in flight finish; that takes up to 30 s, so give the container as long.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=70", "-jar", "app/interlock-flashsale.jar"]
CMD ["serve", "--help"]
